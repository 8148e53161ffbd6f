"""Claims on the paper's formulas: what is listed can fail, and the library's programs say the same."""

from __future__ import annotations

import numpy as np
import pytest

from compactml.chapters.ensemble_pruning.claims import errata, formulas
from compactml.chapters.ensemble_pruning.claims.formulas import (
    NEGATIVE,
    POSITIVE,
    extra_variables,
    instances,
    optimum,
)
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.pruning_program import PruningProgram
from compactml.ensemble_pruning.program.rows import program
from compactml.solvers import solve

PLACES = {"(3)": 1, "(6)": 4}
"""Of groups of rows in the plain program."""


def test_with_every_constraint_the_optimum_is_that_of_all_ensembles() -> None:
    for positive, negative in list(instances())[::7]:
        K = positive.shape[1]
        right = [
            (positive @ x > L).sum() + (negative @ x <= L).sum()
            for x in np.ndindex(*(2,) * K)
            for L in range(K + 1)
        ]
        assert optimum((positive, negative), (1, 1)) == max(right)


@pytest.mark.parametrize(
    ("weights", "dropped"),
    [((-1, -1), ("(3)",)), ((1, -1), ("(6)",)), ((1, 1), ("(2)",)), ((1, 1), ("(5)",))],
)
def test_other_constraints_and_weights_are_not_redundant(
    weights: tuple[int, int], dropped: tuple[str, ...]
) -> None:
    assert any(optimum(case, weights) != optimum(case, weights, dropped) for case in instances())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("objective", "dropped"), [("accuracy", ("(3)", "(6)")), ("recall", ("(3)",))])
def test_the_plain_program_has_the_same_optimum_without_redundant_rows(
    seed: int, objective: str, dropped: tuple[str, ...]
) -> None:
    rng = np.random.default_rng(seed)
    y = np.arange(12) < 5
    votes = (rng.random((12, 4)) < 0.35) ^ y[:, None]
    model = PruningProgram(PruningInstance.from_votes(votes, y, objective), "plain")
    groups = model._point_rows()
    kept = [group for place, group in enumerate(groups) if place not in {PLACES[name] for name in dropped}]
    less = program(model._columns, [*kept, *model._limits()], model._point_weights, "max")
    assert less.matrix.shape[0] < model.problem.matrix.shape[0]
    values = [solve(one, "highs").objective for one in (model.problem, less)]
    assert values[0] == pytest.approx(values[1])


def test_each_constraint_is_as_printed() -> None:
    """With ten classifiers and L = 5, six votes make a positive call and five do not (Section 3)."""
    allowed = {
        name: [[t for t in (0, 1) if row(votes, 5, t, 10)] for votes in (5, 6)]
        for name, row in {**POSITIVE, **NEGATIVE}.items()
    }
    assert allowed == {
        "(2)": [[0], [0, 1]], "(3)": [[0, 1], [1]], "(5)": [[0, 1], [0]], "(6)": [[1], [0, 1]],
    }  # fmt: skip


@pytest.mark.parametrize("K", [3, 8, 20])
def test_constraints_of_diversity_are_three_for_each_pair_and_one_for_each_classifier_and_one(K: int) -> None:
    evidence = extra_variables({}, K)
    pairs = K * (K - 1) // 2
    assert evidence.found == f"K = {K}: {pairs} variables and {3 * pairs + K + 1} constraints more"
    assert (evidence.agreeing, evidence.differing, evidence.inconclusive) == (1, 0, 1)


def test_a_number_of_constraints_that_is_similar_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "SIMILAR", 4)
    assert extra_variables({}, 8).agreeing == 2


def test_a_least_pfc_stops_twins_only_where_the_others_are_alike() -> None:
    # 110 and 001 differ at three places and fail at three; 110 and 110 at none: (0 + 1) / 2
    assert "PFC is 0.5, 0.5, 1, so τ = 0.5 allows all three" in errata.least_pfc({}).found
    assert errata.least_pfc({}).agreeing == 1
    for kept in (("110", "101", "011"), ("110", "110")):  # no twins; twins alone have a PFC of 0
        assert errata.least_pfc({}, kept).differing == 1
