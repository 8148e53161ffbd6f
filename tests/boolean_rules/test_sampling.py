"""Pricing on samples: expected sizes, clauses in the indices of all literals and judged on all data."""

import numpy as np
import pytest

from compactml.boolean_rules.duals import UNIT
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.pricing.constraint_program import ConstraintPricing
from compactml.boolean_rules.pricing.paper_heuristic import HeuristicPricing
from compactml.boolean_rules.pricing.priced import Priced
from compactml.boolean_rules.pricing.sampling import SampledPricing, count_nonzeros
from compactml.clock import Clock
from tests.boolean_rules.tiny_instances import (
    equal_duals,
    f_by_hand,
    from_rows,
    random_duals,
    random_instance,
    three_features,
)


class Recorder:
    """Remembers the samples that it is asked to price, and offers every clause of one literal."""

    def __init__(self):
        self.samples, self.duals = [], []

    def __call__(self, sample):
        self.samples.append(sample)
        return self.price

    def price(self, duals, clock):
        self.duals.append(duals)
        return Priced(tuple((j,) for j in range(len(self.samples[-1].literals))), 0)


def wide_instance(n_samples=3000, n_features=40, seed=0):
    rng = np.random.default_rng(seed)
    return from_rows(rng.integers(0, 2, (n_samples, n_features)), rng.random(n_samples) < 0.4)


def test_a_sample_of_everything_is_the_whole_problem():
    instance = three_features()
    duals = equal_duals(instance, mu=1.0, price=0.0)
    sampled = SampledPricing(instance, lambda one: HeuristicPricing(one, 3), random_state=0)
    priced = sampled(duals, Clock(None))
    assert set(priced.clauses) == set(HeuristicPricing(instance, 3)(duals, Clock(None)).clauses)
    assert priced.at_most is None


@pytest.mark.parametrize("seed", range(20))
def test_clauses_are_those_of_all_data_with_negative_reduced_cost(seed):
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, 60, 8)
    duals = random_duals(rng, instance)
    sampled = SampledPricing(
        instance, lambda one: ConstraintPricing(one, 4), random_state=seed, n_samples=30, n_nonzeros=150
    )
    clauses = [clause for _ in range(3) for clause in sampled(duals, Clock(None)).clauses]
    assert all(f_by_hand(instance, duals, clause) > 0 for clause in clauses)
    assert all(list(clause) == sorted(set(clause)) for clause in clauses)


def numeric_instance(seed=0):
    """Three columns of eight bins, each with the literals <= t and > t."""
    codes = np.random.default_rng(seed).integers(0, 8, (300, 3))
    attribute, cut, above = (one.ravel() for one in np.meshgrid(range(3), range(1, 8), [False, True]))
    literals = Literals(
        attribute=attribute.astype(np.int32),
        lo=np.where(above, cut, 0).astype(np.int32),
        hi=np.where(above, 8, cut).astype(np.int32),
        complement=np.zeros(42, dtype=bool),
        group=(2 * attribute + above).astype(np.int32),
        names=tuple(
            f"x{a} {'>' if up else '<='} {t}" for a, t, up in zip(attribute, cut, above, strict=True)
        ),
        n_bins=np.full(3, 8, dtype=np.int32),
    )
    return Instance.from_codes(codes, codes[:, 0] < 6, literals)


def test_sampled_literals_keep_their_names_and_rows():
    """On a sample of about eight rows many literals are alike, and others are true nowhere."""
    instance, recorder = numeric_instance(), Recorder()
    sampled = SampledPricing(instance, recorder, random_state=0, n_samples=8, n_nonzeros=150)
    duals = equal_duals(instance, mu=1.0, price=0.0)
    for _ in range(20):
        clauses, sample = sampled(duals, Clock(None)).clauses, recorder.samples[-1]
        offered = [instance.literals.names.index(name) for name in sample.literals.names]
        assert 0 < len(offered) < len(instance.literals)
        assert clauses
        assert set(clauses) == {(j,) for j in offered if f_by_hand(instance, duals, (j,)) > 0}
        truth = instance.literals.evaluate(sample.codes)[:, offered]
        assert np.array_equal(sample.literals.evaluate(sample.codes), truth)


def test_sizes_and_multiplicities_are_as_expected_on_average():
    instance, recorder = wide_instance(), Recorder()
    sampled = SampledPricing(instance, recorder, random_state=0, n_samples=400, n_nonzeros=9000)
    duals = equal_duals(instance, mu=0.5, price=2.0)
    for _ in range(50):
        sampled(duals, Clock(None))
    samples = [int((one.positives + one.negatives).sum()) for one in recorder.samples]
    nonzeros = [
        count_nonzeros(one.literals.evaluate(one.codes), one.positives > 0, one.negatives > 0)
        for one in recorder.samples
    ]
    # Four standard errors of a mean of 50: binomial samples, and as many literals of 40 as 9000 non-zeros take.
    assert np.mean(samples) == pytest.approx(400, abs=4 * np.sqrt(400 / 50))
    assert np.mean(nonzeros) == pytest.approx(
        9000, rel=4 * np.std(nonzeros) / np.mean(nonzeros) / np.sqrt(50)
    )
    assert len({tuple(one.literals.names) for one in recorder.samples}) > 1
    for sample, duals_ in zip(recorder.samples, recorder.duals, strict=True):
        assert np.array_equal(duals_.mu, sample.positives * UNIT // 2)
        assert duals_.price == round(2 * UNIT * 400 / 3000)


def test_equal_rows_are_drawn_one_by_one():
    """1000 equal positives of which 100 are drawn on average: f on the sample is the share of f on all data."""
    instance, recorder = from_rows([[1]] * 1000 + [[0]] * 1000, [1] * 1000 + [0] * 1000), Recorder()
    duals = equal_duals(instance, mu=1.0, price=100.0)
    sampled = SampledPricing(instance, recorder, random_state=1, n_samples=200)
    for _ in range(200):
        sampled(duals, Clock(None))
    values = [
        duals_.f(one, (0,)) / UNIT for one, duals_ in zip(recorder.samples, recorder.duals, strict=True)
    ]
    assert np.mean(values) == pytest.approx(
        0.1 * duals.f(instance, (0,)) / UNIT, abs=4 * np.sqrt(100 * 0.9 / 200)
    )


def test_the_same_seed_gives_the_same_samples():
    instance = wide_instance(300, 10)
    duals = equal_duals(instance, mu=1.0, price=0.1)
    drawn = []
    for _ in range(2):
        recorder = Recorder()
        sampled = SampledPricing(instance, recorder, random_state=7, n_samples=50)
        for _ in range(3):
            sampled(duals, Clock(None))
        drawn.append([one.codes.tobytes() for one in recorder.samples])
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 3


def test_an_empty_sample_finds_nothing():
    instance, recorder = three_features(), Recorder()
    sampled = SampledPricing(instance, recorder, random_state=0, n_samples=0)
    assert sampled(equal_duals(instance), Clock(None)).clauses == ()
    assert recorder.samples == []


def test_nonzeros_by_hand():
    """Row 10 as a positive: one row of (7), two variables. Row 00 as a negative: delta and two z. (9): two z."""
    truth = np.array([[True, False], [False, False]])
    assert count_nonzeros(truth, np.array([True, False]), np.array([False, True])) == 2 + 3 + 2
