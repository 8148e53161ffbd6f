"""Bounds on the size of a faithful part: never above the smallest one, and proofs that hold when checked by hand."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from compactml.errors import InvalidParameterError
from compactml.pace import SizeBound, bounding, compress, least_size
from compactml.pace.model.enumerating import all_cells
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.weights._kernels.heaviest import refuted
from compactml.pace.weights.heaviest import Combinations, larger_sets
from tests.pace.test_compress import all_codes
from tests.pace.tiny_forests import fitted

CASES = [
    (kind, n_classes, seed, alpha)
    for kind in ("forest", "boosted")
    for n_classes in (2, 3)
    for seed in (0, 1)
    for alpha in (0.0, 0.15)
]


def reaches(rows: np.ndarray, support: tuple[int, ...]) -> bool:
    """Whether weights on a support have a positive margin on all rows, by an LP solver."""
    chosen = rows[:, support]
    answer = linprog(np.ones(len(support)), -chosen, -np.ones(len(chosen)), bounds=(0, None), method="highs")
    return answer.status == 0


def smallest(rows: np.ndarray) -> int:
    """Size of the smallest support, by trying all."""
    k = rows.shape[1]
    return next(
        size
        for size in range(1, k + 1)
        if any(reaches(rows, support) for support in itertools.combinations(range(k), size))
    )


def rows_of(proof: SizeBound, learners: tuple, labels: np.ndarray) -> list[list[int]]:
    """Margins of all learners, in Python's integers, from the scores of each learner alone."""
    scores = [learner.scores_of(proof.codes) for learner in learners]
    return [
        [int(one[i, labels[i]]) - int(one[i, rival]) for one in scores]
        for i, rival in zip(proof.samples.tolist(), proof.rivals.tolist(), strict=True)
    ]


def holds(rows: list[list[int]], proof: SizeBound) -> bool:
    """Whether the combinations refute all supports of one learner less than the bound: by recursion over sets."""
    size, k = proof.bound - 1, len(rows[0])
    gains = []
    for places, multipliers in proof.combinations:
        assert all(u >= 0 for u in multipliers.tolist())
        assert any(u > 0 for u in multipliers.tolist())
        pairs = list(zip(places.tolist(), multipliers.tolist(), strict=True))
        gains.append([sum(u * rows[i][h] for i, u in pairs) for h in range(k)])

    def refutes(gain: list[int], heaviest: frozenset[int]) -> bool:
        others = sorted((g for h, g in enumerate(gain) if h not in heaviest and g > 0), reverse=True)
        lost = -sum(gain[h] for h in heaviest)
        return all(gain[h] <= 0 for h in heaviest) and lost >= sum(others[: size - len(heaviest)])

    def done(heaviest: frozenset[int]) -> bool:
        if heaviest and any(refutes(gain, heaviest) for gain in gains):
            return True
        rest = [h for h in range(k) if h not in heaviest]
        return len(heaviest) < size and all(done(heaviest | {h}) for h in rest)

    return done(frozenset())


@pytest.mark.parametrize(("kind", "n_classes", "seed", "alpha"), CASES)
def test_the_bound_is_proved_and_no_smallest_part_is_below_it(
    kind: str, n_classes: int, seed: int, alpha: float
) -> None:
    model, X = fitted(kind, n_classes, n_trees=6, seed=seed)
    small = compress(model, X, alpha=alpha, generate=False)
    proof = least_size(small, time_limit=20)
    region = small.setting.region
    everywhere = all_codes(small.setting)
    every = FaithfulnessSet(region, everywhere[region.contains(everywhere)])
    best = smallest(every.margins)
    assert 1 <= proof.bound <= best
    assert small.certificate_.faithful
    assert best == small.n_learners_
    assert region.contains(proof.codes).all()
    if proof.bound > 1:
        rows = rows_of(proof, small.setting.initial.learners, region.labels(proof.codes))
        assert holds(rows, proof)
        lacking = SizeBound(
            proof.bound, proof.codes, proof.samples, proof.rivals, proof.combinations[:0], proof.seconds
        )
        assert not holds(rows, lacking)


def test_bounds_of_tiny_forests_are_the_sizes() -> None:
    """Where the search is over before the time is, it ends at the smallest support of its samples."""
    gaps = []
    for seed in range(4):
        model, X = fitted("forest", 2, n_trees=6, seed=seed)
        small = compress(model, X, alpha=0.1, generate=False)
        gaps.append(small.n_learners_ - least_size(small, time_limit=20).bound)
    assert min(gaps) >= 0
    assert np.median(gaps) <= 1


def test_random_margins_have_no_support_that_a_combination_refutes() -> None:
    random = np.random.default_rng(3)
    refutations = 0
    for _ in range(60):
        rows = random.integers(-5, 6, (8, 6))
        rows = rows[rows.sum(axis=1) > 0]
        combinations = Combinations(6)
        for heaviest in itertools.combinations(range(6), 2):
            C = np.array(heaviest)
            u = random.integers(0, 4, len(rows)).astype(float)
            for left in range(3):
                if combinations.add(rows, np.arange(len(rows)), u, C, left):
                    refutations += 1
                    for rest in itertools.combinations(sorted(set(range(6)) - set(heaviest)), left):
                        assert not heaviest_weights_exist(rows, heaviest, rest)
    assert refutations > 20


def heaviest_weights_exist(rows: np.ndarray, heaviest: tuple[int, ...], rest: tuple[int, ...]) -> bool:
    """Whether weights, at least 1 on some learners and at most 1 on others, have a positive margin on all rows.

    Scaled so that the least of the heaviest has 1; the largest least margin is positive.
    """
    support = [*heaviest, *rest]
    m, s = len(rows), len(support)
    bounds = [(1, None)] * len(heaviest) + [(0, 1)] * len(rest) + [(None, 1)]
    A = np.column_stack([-rows[:, support], np.ones(m)])
    answer = linprog([0.0] * s + [-1.0], A, np.zeros(m), bounds=bounds, method="highs")
    return -answer.fun > 1e-9


def test_what_is_refuted_follows_by_hand() -> None:
    """Gains -2, -1, 1, 2: the first two lose 3, the others win back 2 or 3; a positive gain refutes nothing."""
    gains, most = np.array([[-2, -1, 1, 2]]), np.array([[0, 2, 3, 3, 3]])
    sets = np.array([[0, 1], [0, 2]])
    assert refuted(sets, gains, most, 1).tolist() == [True, False]
    assert refuted(sets, gains, most, 2).tolist() == [True, False]  # 3 against 3: a tie is no positive margin
    assert refuted(sets[:, :1], gains, most, 1).tolist() == [True, True]
    assert refuted(sets[:, :1], gains, most, 2).tolist() == [False, False]
    wins = Fraction(2) * 1 + Fraction(1) * 1
    assert wins == most[0, 2]


def test_larger_sets_are_all_that_contain_one_of_them() -> None:
    sets = np.array([[0, 2], [2, 4], [1, 3]])
    wanted = {tuple(sorted({*one, h})) for one in sets.tolist() for h in range(6) if h not in one}
    larger = larger_sets(sets, 6)
    assert larger is not None
    assert sorted(map(tuple, larger.tolist())) == sorted(wanted)
    assert larger_sets(np.arange(11)[None], 100) is None


def test_a_known_bound_and_a_certified_size_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X = fitted("forest", 2, n_trees=6)
    small = compress(model, X, alpha=0.1, generate=False)
    known = least_size(small, at_least=small.n_learners_)
    assert (known.bound, known.combinations) == (small.n_learners_, [])
    monkeypatch.setattr(bounding._Search, "refutes", lambda self, size: True)
    assert least_size(small).bound == small.n_learners_
    with pytest.raises(InvalidParameterError, match="at_least"):
        least_size(small, at_least=0)


def test_time_that_is_over_leaves_the_known_bound() -> None:
    model, X = fitted("forest", 2, n_trees=6)
    small = compress(model, X, alpha=0.1, generate=False)
    assert least_size(small, at_least=2, time_limit=1e-9).bound == 2
    assert next(iter(all_cells(small.setting.grid.sizes))).shape[1] == small.n_features_in_
