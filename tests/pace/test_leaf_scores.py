"""Columns of leaves, their fits, and what the scores of free leaves can and cannot keep."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog

from compactml.clock import Clock
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.region import Region
from compactml.pace.trees.leaf_scores import exact_scores, fit, leaf_columns, scored, side_by_side
from tests.pace.tiny_forests import three_stumps
from tests.pace.tiny_samples import tiny_samples


def columns_of(samples: FaithfulnessSet, chosen: tuple[int, ...]) -> sparse.csr_array:
    return side_by_side(samples, [leaf_columns(samples, samples.learners[k]) for k in chosen])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_columns_times_the_scores_of_leaves_are_the_margins(n_classes: int) -> None:
    samples = tiny_samples(n_classes)
    for learner in samples.learners:
        assert leaf_columns(samples, learner).shape == (len(samples.samples), learner.n_leaves * n_classes)
        np.testing.assert_array_equal(
            leaf_columns(samples, learner) @ learner.scores.ravel(), samples.column(learner)
        )


@pytest.mark.parametrize("n_classes", [2, 3])
def test_labels_can_be_kept_where_a_linear_program_of_another_solver_says_so(n_classes: int) -> None:
    samples = tiny_samples(n_classes)
    kept = []
    for chosen in itertools.chain.from_iterable(itertools.combinations(range(9), k) for k in (1, 2, 7)):
        columns = columns_of(samples, chosen)
        answer = linprog(
            np.ones(columns.shape[1]), A_ub=-columns, b_ub=-np.ones(columns.shape[0]), method="highs-ipm"
        )
        scores = exact_scores(columns)
        assert (scores is not None) == (answer.status == 0)
        kept.append(scores is not None)
        if scores is None:
            assert fit(columns).least <= 0
            continue
        assert (columns @ scores).min() >= 1 - 1e-6
        ensemble = scored(samples, [samples.learners[k] for k in chosen], scores)
        assert ensemble is not None
        np.testing.assert_array_equal(ensemble.predict(samples.codes), samples.labels)
        assert {one.origin for one in ensemble.learners} == {None}
        for one in ensemble.learners:  # frequencies, up to their rounding
            assert np.ptp(one.scores.sum(axis=1)) < n_classes
            assert one.scores.min() >= 0
    assert 0 < sum(kept) < len(kept)


def test_the_loss_is_small_where_labels_can_be_kept_and_its_slope_is_the_urgency() -> None:
    columns = sparse.csr_array([[1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])  # the last row wants the opposite
    found = fit(columns)
    assert found.least < 0
    assert found.urgency.argmax() == 2
    # one number d, the difference of the two scores: 2 log(1 + exp(-d)) + log(1 + exp(d)) is least at d = log 2
    np.testing.assert_allclose(found.urgency, [1 / 3, 1 / 3, 2 / 3], atol=1e-3)
    assert found.loss == pytest.approx(2 * np.log(1.5) + np.log(3.0), abs=1e-3)
    easy = fit(columns[:2])
    assert easy.least > 0
    assert easy.loss < 0.01
    assert fit(sparse.csr_array((3, 0))).loss == pytest.approx(3 * np.log(2.0))


def test_rounding_that_would_lose_a_label_is_refused() -> None:
    _, initial = three_stumps()
    samples = FaithfulnessSet(Region(initial, 1), np.arange(4, dtype=np.int32)[:, None])
    stumps = list(samples.learners)
    exact = exact_scores(columns_of(samples, (0, 1, 2)))
    assert exact is not None
    ensemble = scored(samples, stumps, exact)
    assert ensemble is not None
    np.testing.assert_array_equal(ensemble.predict(samples.codes), [0, 0, 1, 1])
    wrong = np.tile([1.0, 0.0], 6)  # all leaves for class 0
    assert scored(samples, stumps, wrong) is None


def test_a_tree_without_any_say_is_no_learner() -> None:
    _, initial = three_stumps()
    samples = FaithfulnessSet(Region(initial, 1), np.arange(4, dtype=np.int32)[:, None])
    middle = np.repeat([0.0, 1.0, 0.0, 1.0, 0.0], [4, 1, 2, 1, 4])  # leaves of the stump at 1.5 alone
    ensemble = scored(samples, list(samples.learners), middle)
    assert ensemble is not None
    assert len(ensemble.learners) == 1
    np.testing.assert_array_equal(ensemble.predict(samples.codes), [0, 0, 1, 1])


def test_leaves_of_no_sample_change_nothing() -> None:
    columns = columns_of(tiny_samples(3), (0, 4, 7))
    wider = sparse.hstack(
        [sparse.csr_array((columns.shape[0], 3)), columns, sparse.csr_array((columns.shape[0], 2))]
    )
    plain, wide = fit(columns), fit(wider.tocsr())
    assert (plain.loss, plain.least) == (wide.loss, wide.least)
    scores, padded = exact_scores(columns), exact_scores(wider.tocsr())
    assert (scores is None) == (padded is None)
    if scores is not None and padded is not None:
        np.testing.assert_array_equal(padded, np.pad(scores, (3, 2)))


def test_a_fit_stops_with_the_clock() -> None:
    columns = sparse.csr_array(np.random.default_rng(0).normal(size=(50, 8)))
    assert fit(columns, Clock(None)).loss == fit(columns).loss < fit(columns, Clock(0.0)).loss
