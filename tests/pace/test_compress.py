from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from compactml.clock import Clock
from compactml.errors import InvalidParameterError
from compactml.pace._compress import compress
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.errors import EmptyRegionError
from compactml.pace.loop import Compression
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import Setting
from compactml.pace.separation.separator import Separator
from compactml.pace.weights.errors import WeightRoundingError
from compactml.pace.weights.pruning import Pruner
from compactml.watch import EndedEarlyWarning
from tests.pace.tiny_samples import tiny_forest, tiny_samples, tiny_setting


def all_codes(setting: Setting) -> np.ndarray:
    """Every cell of the region."""
    cells = np.array(list(itertools.product(*map(range, setting.grid.sizes))), dtype=np.int32)
    return cells[setting.region.contains(cells)]


def disagreements(result: CompressedEnsemble, ensemble: Any) -> int:
    """Cells of the region that scikit-learn's ensemble and the compressed one predict differently."""
    points = result.setting.grid.representative(all_codes(result.setting))
    return int((ensemble.predict(points) != result.predict(points)).sum())


@pytest.mark.parametrize("alpha", [0.0, 0.1])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_pruning_finds_the_smallest_faithful_ensemble(seed: int, n_classes: int, alpha: float) -> None:
    """Certified on the region, and of the size that (P0) has on all of its cells."""
    forest, X = tiny_forest(n_classes, seed=seed)
    result = compress(forest, X, alpha=alpha, generate=False)
    assert result.certificate_.faithful
    assert disagreements(result, forest) == 0
    everything = FaithfulnessSet(result.setting.region, all_codes(result.setting))
    pruner = Pruner()
    pruner.prune(everything.margins)
    best = pruner.prove(Clock(None))
    assert best.proved
    assert result.n_learners_ == best.size
    assert result.history_[-1].bound == best.size
    assert result.n_generated_ == 0


@pytest.mark.parametrize("pricing", ["cart", "exact"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("prune", [True, False])
def test_generated_learners_keep_the_guarantee(prune: bool, n_classes: int, pricing: str) -> None:
    forest, X = tiny_forest(n_classes)
    result = compress(forest, X, alpha=0.05, pricing=pricing, prune=prune)
    assert result.certificate_.faithful
    assert disagreements(result, forest) == 0
    steps = [step for step in result.history_ if step.phase == "generate"]
    assert steps
    assert all(step.exact == (pricing == "exact") for step in steps)
    assert max(step.n_generated for step in steps) <= len(forest.estimators_)
    for before, after in itertools.pairwise(steps):
        if before.n_samples == after.n_samples:
            assert after.value <= before.value + 1e-6
    if prune:
        pruned = compress(forest, X, alpha=0.05, generate=False)
        assert result.n_learners_ <= pruned.n_learners_
        last = result.history_[-1]
        assert last.size == result.n_learners_ == last.value
        assert last.bound is not None
        assert last.bound <= last.size


def test_a_deeper_tree_replaces_a_forest() -> None:
    """Labels that two tests decide: pruned stumps cannot do with one learner, one generated tree can."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 3)).astype(float)
    y = (X.sum(axis=1) >= 2).astype(int)
    forest = RandomForestClassifier(25, max_depth=1, max_features=1, random_state=0).fit(X, y)
    assert compress(forest, X, generate=False).n_learners_ > 1
    result = compress(forest, X, max_depth=5)
    assert (result.n_learners_, result.n_generated_) == (1, 1)
    assert result.certificate_.faithful
    assert disagreements(result, forest) == 0


def test_each_form_of_separation_ends_at_the_same_size() -> None:
    forest, X = tiny_forest(3)
    sizes = {
        form: compress(forest, X, generate=False, separation=form).n_learners_
        for form in ("search", "constraint", "objective", "milp")
    }
    assert len(set(sizes.values())) == 1


@pytest.mark.parametrize("n_classes", [2, 3])
def test_boosting(n_classes: int) -> None:
    forest, X = tiny_forest(n_classes)
    y = forest.predict(X)
    boosted = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=15, random_state=0).fit(
        X, y
    )
    result = compress(boosted, X, alpha=0.05, generate=False)
    assert result.certificate_.faithful
    assert disagreements(result, boosted) == 0
    assert result.n_learners_ < 15


def test_a_plausible_region() -> None:
    forest, X = tiny_forest()
    result = compress(forest, X, beta=0.2, generate=False)
    assert result.certificate_.faithful
    assert disagreements(result, forest) == 0
    assert len(all_codes(result.setting)) < len(all_codes(tiny_setting()))


@pytest.mark.exact_trees
def test_the_same_seed_gives_the_same_result() -> None:
    forest, X = tiny_forest(3)
    first, second = (compress(forest, X, alpha=0.05, pricing="exact", random_state=4) for _ in range(2))
    assert first.weights_.tolist() == second.weights_.tolist()
    assert [step.value for step in first.history_] == [step.value for step in second.history_]


def test_what_is_not_proved_in_time_is_not_claimed() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 10, (400, 12)).astype(float)
    y = (X[:, :6].sum(axis=1) + rng.normal(0, 6, 400) > 27).astype(int)
    forest = RandomForestClassifier(60, max_depth=4, random_state=0).fit(X, y)
    with pytest.warns(EndedEarlyWarning, match=r"compress: time_limit=0.05 s ended the work"):
        result = compress(forest, X, generate=False, uncertified=True, time_limit=0.05)
    assert not result.certificate_.faithful
    assert result.n_learners_ >= 1


def test_the_initial_ensemble_is_the_answer_when_the_time_is_over_at_once() -> None:
    forest, X = tiny_forest(3)
    for uncertified in (True, False):
        with pytest.warns(EndedEarlyWarning, match=r"value 9, proved bound 1"):
            result = compress(forest, X, time_limit=0, uncertified=uncertified)
        assert result.ensemble.learners == result.setting.initial.learners
        assert set(result.certificate_.proved.values()) == {"unknown" if uncertified else True}
        assert result.history_ == ()


def test_a_sample_that_separates_stays_out_of_the_way() -> None:
    """No ensemble whose weights come from S loses a sample of S by rounding."""
    samples = tiny_samples(3)
    current = samples.rounded(Pruner().prune(samples.margins).weights)
    assert (current.margins(samples.codes, samples.labels) > 0).all()
    with pytest.raises(WeightRoundingError, match="after rounding to integers"):
        samples.rounded(np.eye(len(samples.learners))[0])


def test_margins_are_those_of_the_ensemble() -> None:
    """Rows times weights are the margins that the ensemble itself computes; no row twice."""
    setting = tiny_setting(3)
    samples = FaithfulnessSet(setting.region, setting.samples[:10])
    assert samples.add_samples(setting.samples[5:20]) == 10
    assert samples.add_samples(setting.samples[5:20]) == 0
    assert len(samples) == 20
    margins = setting.initial.margins(samples.codes, samples.labels)
    sums = samples.integers @ setting.initial.weights
    assert (sums == margins[samples.samples, samples.rivals]).all()
    assert len(sums) == 20 * 2


def test_samples_are_added_until_the_linear_program_is_faithful() -> None:
    """The first phase alone, started from a single sample."""
    setting = tiny_setting(2)
    samples = FaithfulnessSet(setting.region, setting.samples[:1])
    run = Compression(setting, samples, Separator(setting.grid, setting.region), Clock(None))
    current, proved = run.weigh()
    assert set(proved.values()) == {True}
    codes = all_codes(setting)
    assert (current.predict(codes) == setting.region.labels(codes)).all()
    values = [step.value for step in run.history]
    assert values == sorted(values)
    assert len(samples) > 1


def test_an_empty_region_is_named() -> None:
    forest, X = tiny_forest()
    with pytest.raises(EmptyRegionError, match="largest margin"):
        compress(forest, X, alpha=1.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("solver", "simplex"),
        ("time_limit", -1),
        ("time_limit", np.inf),
        ("time_limit", True),
        ("generate", "no"),
        ("prune", None),
        ("pricing", "all"),
        ("pricing", np.array(["cart", "exact"])),
        ("separation", "x"),
        ("alpha", 2),
        ("max_depth", "deep"),
        ("random_state", -1),
        ("random_state", 2**31),
        ("random_state", None),
    ],
)
def test_bad_parameters(name: str, value: Any) -> None:
    forest, X = tiny_forest()
    with pytest.raises(InvalidParameterError, match=name):
        compress(forest, X, **{name: value})


def test_a_search_for_a_first_point_that_finds_none_in_time_claims_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forest, X = tiny_forest()
    module = sys.modules[compress.__module__]  # the package exports the function under the same name
    monkeypatch.setattr(module, "first_points", lambda *_, **__: np.empty((0, 4), dtype=np.int32))
    result = compress(forest, X, time_limit=600.0, uncertified=True)
    assert set(result.certificate_.proved.values()) == {"unknown"}
    assert result.n_learners_ == len(forest.estimators_)
