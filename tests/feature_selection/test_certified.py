"""The certified method: enumeration, counterexamples from poor starts, branching, limits, and the paper's datasets."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compactml.clock import Clock
from compactml.datasets import DatasetNotAvailable
from compactml.datasets.prepared import prepared
from compactml.feature_selection import (
    FractionalProgram,
    Tolerance,
    cfs_program,
    measure,
    mrmr_program,
    verify,
)
from compactml.feature_selection.certified import proved_optima as module
from compactml.feature_selection.certified import prover, tabu
from compactml.feature_selection.certified.proved_optima import certified
from compactml.feature_selection.parametric_form import ParametricForm
from compactml.watch import Watch
from tests.feature_selection.fractional_programs import (
    KINDS,
    REDUNDANCY,
    RELEVANCE,
    mrmr,
    optimum,
    random_program,
    supports,
)

TIGHT = Tolerance(1e-9, 1e-9)
PAPER = Tolerance()


def check_proof(program, result, tolerance, n_features=None):
    """The optimum within the tolerance, with a bound that holds and a certificate of it that verifies."""
    best = optimum(program, n_features)
    assert result.proved
    assert result.value == program.value(result.support)
    assert result.value <= best + 1e-12 * (1 + abs(best))  # another order of summation
    assert best <= result.bound + 1e-15 * abs(best)
    assert result.bound - result.value <= tolerance.allows(result.value)
    assert n_features in (None, len(result.support))
    assert result.certificate.n_features == n_features
    assert verify(program, result.certificate) == result.bound


@pytest.fixture
def poor_start(monkeypatch):
    """Let tabu search find the worst set there is."""

    def worst(program, n_features=None, **_):
        return np.array(min(supports(program.n_features, n_features), key=program.value))

    monkeypatch.setattr(tabu, "search", worst)


@pytest.fixture
def no_quick_search(monkeypatch):
    """Leave all branching to the prover, and give it little to go on: relaxations of one iteration."""
    for name in ("QUICK_NODES", "QUICK_NODES_LAST"):
        monkeypatch.setattr(prover, name, 0)
    for name in ("CHECK_EVERY", "MOST_ITERATIONS", "MOST_ITERATIONS_BELOW"):
        monkeypatch.setattr(prover, name, 1)


@dataclass
class CountingClock(Clock):
    """Stops when it has been looked at often enough."""

    looks: int = 10**9

    def stopped(self) -> bool:
        self.looks -= 1
        return self.looks < 0


class TestAgainstEnumeration:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("p", range(1, 13))
    def test_any_size(self, kind, p):
        for seed in range(3):
            program = random_program(kind, 100 * p + seed, p)
            result = certified(program, TIGHT)
            check_proof(program, result, TIGHT)
            assert result.value == pytest.approx(optimum(program), rel=1e-12)

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("k", range(1, 9))
    def test_every_size(self, kind, k):
        program = random_program(kind, 7, 8)
        for tolerance in (TIGHT, PAPER):
            check_proof(program, certified(program, tolerance, n_features=k), tolerance, k)

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(
        "tolerance", [PAPER, Tolerance(0.1, 0.0), Tolerance(1e-6, 0.0), Tolerance(0.0, 0.02)]
    )
    def test_any_tolerance(self, kind, tolerance):
        for seed in range(4):
            program = random_program(kind, seed, 9)
            check_proof(program, certified(program, tolerance), tolerance)

    @settings(max_examples=20, deadline=None)
    @given(
        kind=st.sampled_from(KINDS),
        seed=st.integers(0, 10**6),
        p=st.integers(2, 9),
        copies=st.integers(1, 3),
        shift=st.floats(-3, 3),
    )
    def test_copies_and_negative_values(self, kind, seed, p, copies, shift):
        """Features there several times, and all values moved by a constant."""
        base = random_program(kind, seed, p)
        some = np.sort(np.random.default_rng(seed).integers(0, p, p + copies))[:10]
        among = np.ix_(some, some)
        a, b, c, d = base.a[some], base.b[among], base.c[some], base.d[among]
        program = FractionalProgram(a + shift * c, b + shift * d, c, d)
        tolerance = Tolerance(1e-9, 1e-8)
        check_proof(program, certified(program, tolerance), tolerance)

    def test_all_sets_are_equally_good(self):
        program = FractionalProgram(np.ones(7), np.ones((7, 7)), np.ones(7), np.ones((7, 7)))
        check_proof(program, certified(program, TIGHT), TIGHT)

    @pytest.mark.parametrize("scale", [1e-6, 1e6])
    def test_large_and_small_numbers(self, scale):
        """Both f and g, and f alone."""
        for seed in range(3):
            own = random_program("general", seed, 8)
            both = FractionalProgram(scale * own.a, scale * own.b, scale * own.c, scale * own.d)
            values = FractionalProgram(scale * own.a, scale * own.b, own.c, own.d)
            check_proof(both, certified(both, TIGHT), TIGHT)
            relative = Tolerance(1e-8, 0.0)
            check_proof(values, certified(values, relative), relative)


class TestCounterexamples:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("n_features", [None, 2, 5])
    def test_from_the_worst_set(self, poor_start, kind, n_features):
        n_problems = []
        for seed in range(6):
            program = random_program(kind, seed, 8)
            result = certified(program, TIGHT, n_features=n_features)
            check_proof(program, result, TIGHT, n_features)
            n_problems.append(result.iterations)
        assert min(n_problems) > 1  # the worst set was not proved the best

    def test_from_the_worst_set_with_branching(self, poor_start, no_quick_search):
        for seed in range(4):
            program = random_program("general", seed, 11)
            result = certified(program, TIGHT)
            check_proof(program, result, TIGHT)
            assert result.iterations > 1

    def test_within_the_tolerance_nothing_is_looked_for(self, poor_start):
        """All values of this program are within 1e-3 of each other."""
        flat = FractionalProgram(np.linspace(1, 1.0009, 5), np.zeros((5, 5)), np.ones(5), np.zeros((5, 5)))
        result = certified(flat, PAPER)
        assert (result.iterations, result.support.tolist()) == (1, [0])
        check_proof(flat, result, PAPER)


class TestBranching:
    @pytest.mark.parametrize("kind", ["mrmr", "general"])
    def test_by_the_prover(self, no_quick_search, kind):
        n_branches = 0
        for seed in range(4):
            program = random_program(kind, seed, 11)
            result = certified(program, TIGHT)
            check_proof(program, result, TIGHT)
            n_branches += sum((proof.branch >= 0).sum() for proof in result.certificate.proofs)
        assert n_branches

    @pytest.mark.parametrize("nodes", [1, 3, 8])
    def test_by_both(self, monkeypatch, nodes):
        """The search runs out of nodes above and is finished below."""
        monkeypatch.setattr(prover, "QUICK_NODES", 0)
        monkeypatch.setattr(prover, "QUICK_NODES_LAST", nodes)
        monkeypatch.setattr(prover, "MOST_ITERATIONS", 1)
        monkeypatch.setattr(prover, "CHECK_EVERY", 1)
        for seed in range(4):
            program = random_program("general", seed, 12)
            check_proof(program, certified(program, TIGHT), TIGHT)

    def test_without_the_search(self, monkeypatch):
        monkeypatch.setattr(prover, "QUICK_WIDTH", 0)
        for kind in KINDS:
            program = random_program(kind, 9, 10)
            check_proof(program, certified(program, TIGHT), TIGHT)

    @pytest.mark.parametrize("k", range(1, 11))
    def test_of_one_size(self, no_quick_search, k):
        program = random_program("general", 5, 10)
        check_proof(program, certified(program, TIGHT, n_features=k), TIGHT, k)


def test_the_worked_example():
    result = certified(mrmr(RELEVANCE, REDUNDANCY), TIGHT)
    assert (result.value, result.support.tolist()) == (pytest.approx(0.175), [0, 1])
    assert (result.proved, result.iterations, result.choice) == (True, 1, None)


def test_it_repeats_itself():
    first, second = (certified(random_program("general", 3, 16), TIGHT) for _ in range(2))
    assert (first.value, first.bound, first.support.tolist()) == (
        second.value,
        second.bound,
        second.support.tolist(),
    )
    for one, other in zip(first.certificate.proofs, second.certificate.proofs, strict=True):
        assert (one.units == other.units).all()
        assert (one.branch == other.branch).all()


def test_the_next_size_is_the_middle_of_the_longest_run():
    watch = Watch("certified", Clock(None))
    run = module._Run(random_program("cfs", 0, 20), 1.0, watch, 0.0, math.inf, {3, 4, 9}, first=9)
    for open_sizes, expected in [({3, 4, 9}, 9), ({3, 4, 7}, 4), ({2, 10, 11, 12, 13, 14}, 12), ({20}, 20)]:
        run.open = open_sizes
        assert run._next() == expected


@pytest.mark.parametrize("kind", KINDS)
def test_the_sizes_that_a_relaxation_counts_as_closed_are_closed(kind):
    """It goes on while it closes more of them; where F >= 0 does not hold for a size, it must not count."""
    program = random_program(kind, 4, 10)
    best = [max(program.value(s) for s in supports(10, size)) for size in range(1, 10)]
    form = ParametricForm.of(program, float(np.median(best)))
    true = sum(value <= form.t for value in best)
    own = prover.Prover(form, Clock(None), set(range(1, 10)))
    counts = []
    for size in range(2, 9):
        known = own.relax_whole(size)
        counts.append(own._n_closed(form.whole(size), known))
        assert own._n_closed(form.whole(size).decide(np.array([0]), np.array([1])), known) == 0
    assert 0 < max(counts) <= true < 9


def test_no_tolerance_at_all_ends():
    """F of the best set is 0 up to rounding then; the same set must not count as a better one."""
    for seed in (2, 14, 15, 16, 19):
        program = random_program("mrmr", seed, 8)
        result = certified(program, Tolerance(0.0, 0.0), time_limit=5.0)
        assert result.seconds < 4.0
        assert result.value == pytest.approx(optimum(program), rel=1e-12)
        assert result.bound == pytest.approx(result.value, rel=1e-9)
        assert result.bound >= optimum(program) - 1e-15


class TestLimits:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("limit", [0.0, 1e-9])
    def test_no_time(self, kind, limit):
        program = random_program(kind, 0, 12)
        result = certified(program, TIGHT, time_limit=limit)
        assert (result.proved, result.certificate) == (False, None)
        assert result.value == program.value(result.support)
        assert result.value <= optimum(program) + 1e-12 <= result.bound

    @pytest.mark.parametrize("n_features", [None, 4])
    @pytest.mark.parametrize("kind", KINDS)
    def test_stopped_anywhere(self, monkeypatch, kind, n_features):
        """However far it got: an honest bound, and a certificate only of a finished proof."""
        program = random_program(kind, 5, 10)
        best = optimum(program, n_features)
        bounds, proved = [], []
        for looks in [*range(0, 20), *range(20, 200, 13), 10**6]:
            monkeypatch.setattr(module, "Clock", lambda limit, looks=looks: CountingClock(limit, looks=looks))
            result = certified(program, TIGHT, n_features=n_features)
            assert result.value <= best + 1e-12
            assert result.bound >= best - 1e-12
            assert (result.certificate is not None) == result.proved
            bounds.append(result.bound)
            proved.append(result.proved)
        assert bounds[0] == math.inf
        assert not proved[0]
        assert proved[-1]
        assert n_features == 4 or kind == "general" or any(best + 1e-6 < bound < math.inf for bound in bounds)

    def test_the_bound_comes_down_with_time(self, monkeypatch):
        program = random_program("general", 3, 14)
        bounds = []
        for looks in (0, 40, 100, 10**6):
            monkeypatch.setattr(module, "Clock", lambda limit, looks=looks: CountingClock(limit, looks=looks))
            bounds.append(certified(program, TIGHT).bound)
        assert bounds == sorted(bounds, reverse=True)
        assert bounds[0] > bounds[-1]

    def test_stopped_from_a_poor_start(self, monkeypatch, poor_start):
        """The best set met so far comes back, with a bound for all sets and not for the last threshold only."""
        program = random_program("general", 1, 9)
        best = optimum(program)
        values = []
        for looks in [*range(0, 200, 9), 10**6]:
            monkeypatch.setattr(module, "Clock", lambda limit, looks=looks: CountingClock(limit, looks=looks))
            result = certified(program, TIGHT)
            assert result.value <= best + 1e-12 <= result.bound + 1e-9
            values.append(result.value)
        assert values == sorted(values)
        assert values[0] < values[-1] == pytest.approx(best)


@lru_cache(maxsize=1)
def paper_measures(key):
    """What a dataset says, its distinct values being its symbols."""
    try:
        data = prepared(key)
    except DatasetNotAvailable as error:
        pytest.skip(f"{error.key}: no file at hand")
    codes = data.X.apply(lambda column: np.unique(column.astype(str), return_inverse=True)[1])
    return measure(codes, data.y, drop_constant=False)


def paper_program(key, name):
    measures = paper_measures(key)
    return mrmr_program(measures, count_own_entropy=True) if name == "mrmr" else cfs_program(measures)


class TestDatasetsOfThePaper:
    """Oracle O4: values printed in the paper, as far as they follow from its gaps, and sizes of its sets."""

    @pytest.mark.parametrize(
        ("key", "name", "value", "size"),
        [
            ("lung_discrete", "mrmr", 0.30879, 33),
            ("optdigits_without_constant_pixels", "mrmr", 0.18833, 32),
            ("optdigits_without_constant_pixels", "cfs", 0.21338, 23),
        ],
    )
    def test_proved_at_the_tolerance_of_the_paper(self, key, name, value, size):
        program = paper_program(key, name)
        result = certified(program, PAPER)
        assert result.proved
        assert result.value == pytest.approx(value, abs=5e-6)
        assert len(result.support) == size
        assert verify(program, result.certificate) == result.bound

    def test_lung_discrete_cfs(self):
        """A local search found 0.53623 with 34 features; there is a slightly better set."""
        program = paper_program("lung_discrete", "cfs")
        result = certified(program, PAPER)
        assert result.proved
        assert 0.53622 <= result.value <= result.bound <= 0.53622 * 1.02
        assert verify(program, result.certificate) == result.bound

    @pytest.mark.parametrize("name", ["mrmr", "cfs"])
    def test_zoo_by_enumeration(self, name):
        program = paper_program("zoo_with_name", name)
        result = certified(program, TIGHT)
        assert result.proved
        sets = (np.arange(1, 2**program.n_features)[:, None] >> np.arange(program.n_features)) % 2.0
        f = sets @ program.a + np.einsum("ij,jk,ik->i", sets, program.b, sets, optimize=True)
        g = sets @ program.c + np.einsum("ij,jk,ik->i", sets, program.d, sets, optimize=True)
        assert result.value == pytest.approx((f / g).max(), rel=1e-9)
        assert verify(program, result.certificate) == result.bound

    def test_all_features_of_colon(self):
        """h(1) that the paper's printed gaps imply."""
        assert paper_program("colon", "mrmr").value(range(2000)) == pytest.approx(-0.1031, abs=5e-5)
        assert paper_program("colon", "cfs").value(range(2000)) == pytest.approx(0.00423, abs=5e-6)
