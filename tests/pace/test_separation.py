"""Every form of the separation problem gives the answers that a look at all cells gives."""

import numpy as np
import pytest

from compactml.errors import InvalidParameterError
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.region import Region
from compactml.pace.separation.separator import FORMS, Separator, check_separating
from compactml.solvers import VerificationError
from tests.pace.small_separations import problem
from tests.pace.tiny_forests import three_stumps

EXACT = [form for form in FORMS if form != "milp"]


def three(weights, least_margin=1, form="search"):
    """The separator of O6 and the ensemble of the three stumps with other weights."""
    grid, initial = three_stumps()
    current = IntegerEnsemble(initial.learners, np.array(weights), 2)
    return Separator(grid, Region(initial, least_margin), form=form), current


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("weights", "least_margin", "points", "open_pairs"),
    [
        ((0, 1, 0), 1, [], []),
        ((1, 0, 0), 1, [[1]], [(0, 1)]),
        ((1, 0, 0), 2, [], []),
        ((0, 0, 1), 1, [[2]], [(1, 0)]),
        ((1, 0, 1), 1, [[1], [2]], [(0, 1), (1, 0)]),  # ties count
    ],
)
def test_three_stumps(form, weights, least_margin, points, open_pairs):
    separator, current = three(weights, least_margin, form)
    found = separator.separate(current)
    assert found.points.tolist() == points
    assert found.proved == {pair: pair not in open_pairs for pair in [(0, 1), (1, 0)]}
    assert found.certified == (not points)
    assert found.n_solved == 2


@pytest.mark.parametrize("form", FORMS)
def test_no_problem_is_built_when_the_time_is_over(form):
    separator, current = three((1, 0, 1), form=form)
    over = separator.separate(current, time_limit=0.0)
    assert set(over.proved.values()) == {"unknown"}
    assert (len(over.points), over.n_solved) == (0, 0)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(12))
def test_all_forms_agree_with_enumeration(form, seed):
    small = problem(seed, generated=seed % 3)
    found = Separator(small.grid, small.region, form=form, solver="highs").separate(small.current)
    assert found.proved == small.truth()
    assert len(found.points) <= found.n_solved


@pytest.mark.parametrize("seed", range(40))
def test_search_agrees_with_enumeration(seed):
    small = problem(seed, generated=seed % 4)
    separator = Separator(small.grid, small.region)
    assert separator.separate(small.current).proved == small.truth()
    hinted = separator.separate(small.current, hints=small.samples)
    assert hinted.proved == small.truth()
    separating = {tuple(x) for pair in hinted.proved for x in small.separating(pair).tolist()}
    assert {tuple(x) for x in hinted.points.tolist()} <= separating


@pytest.mark.parametrize("form", FORMS)
def test_a_separator_follows_the_ensemble_from_round_to_round(form):
    small = problem(4, generated=2)
    separator = Separator(small.grid, small.region, form=form, solver="highs")
    for weights in ([1, 2, 3, 4, 0, 0], [0, 0, 0, 0, 1, 1], [4, 0, 1, 0, 2, 0]):
        small.current.weights[:] = weights[: len(small.current.weights)]
        current = IntegerEnsemble(
            small.current.learners, small.current.weights.copy(), small.current.n_classes
        )
        truth = type(small)(small.grid, small.region, current, small.samples).truth()
        assert separator.separate(current).proved == truth


@pytest.mark.parametrize("form", FORMS)
def test_without_learners_everything_ties(form):
    small = problem(0)
    empty = IntegerEnsemble((), np.empty(0, dtype=np.int64), small.current.n_classes)
    found = Separator(small.grid, small.region, form=form, solver="highs").separate(empty)
    assert not found.certified
    assert found.proved == type(small)(small.grid, small.region, empty, small.samples).truth()


@pytest.mark.parametrize("form", FORMS)
def test_no_time_means_unknown_and_no_certificate(form):
    separator, current = three((0, 1, 0), form=form)
    found = separator.separate(current, time_limit=0.0)
    assert set(found.proved.values()) == {"unknown"}
    assert not found.certified


def test_only_the_pairs_asked_for():
    separator, current = three((1, 0, 1))
    assert list(separator.separate(current, pairs=[(1, 0)]).proved) == [(1, 0)]


@pytest.mark.parametrize("form", EXACT)
def test_margins_of_one_part_in_a_hundred_million_are_decided(form):
    separator, current = three((10**8, 1, 10**8), form=form)
    assert separator.separate(current).certified


def test_repeats_exactly():
    small = problem(7)
    separator = Separator(small.grid, small.region, random_state=3)
    first, second = (separator.separate(small.current, hints=small.samples).points for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("weights", "least_margin", "pair", "point", "what"),
    [
        ((1, 0, 0), 1, (0, 1), [0], "margin"),
        ((1, 0, 0), 2, (0, 1), [1], "outside the region"),
        ((1, 0, 0), 1, (1, 0), [1], "label 1"),
    ],
)
def test_a_wrong_point_is_refused(weights, least_margin, pair, point, what):
    separator, current = three(weights, least_margin)
    with pytest.raises(VerificationError, match=what):
        check_separating("search", separator.region, current, pair, np.array([point], dtype=np.int32))


def test_a_wrong_engine_is_found_out(monkeypatch):
    separator, current = three((0, 1, 0))
    wrong = np.array([1], dtype=np.int32)
    monkeypatch.setattr(separator._engine, "solve", lambda *_: (wrong, True))
    with pytest.raises(VerificationError):
        separator.separate(current)


def test_unknown_form():
    grid, initial = three_stumps()
    with pytest.raises(InvalidParameterError, match="form"):
        Separator(grid, Region(initial, 1), form="guess")
