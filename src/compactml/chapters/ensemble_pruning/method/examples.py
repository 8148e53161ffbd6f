"""The examples of the first notebook that are worked by hand: ten points, diversity, a rare class."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from compactml.chapters.ensemble_pruning.method import pictures, small
from compactml.chapters.ensemble_pruning.method.small import votes_of
from compactml.ensemble_pruning import (
    Diversity,
    PruningInstance,
    PruningResult,
    diversity_limits,
    failure_credit,
    failure_patterns,
    prune,
)
from compactml.ensemble_pruning.instance import called_positive
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results, Settings

TEN_POINTS = "11100 11100 11111 10011", "10110 10011 10101 01010 01101 11000"
"""Votes on positive and on negative points."""
OTHER_TEN = "11001 11101 10101 11111", "11010 10100 10001 00100 00101 01001"
RARE = "01010 00010 00110 01000", "00010 01011 11101 00010 10101 00101"
CREDITED = "0011011101", "0110001110"
"""The paper's example of two failure patterns."""
NO_SOLVER = "no solver was needed"


def word(selected: ArrayLike, n_classifiers: int = 5) -> str:
    """A set of classifiers as a word of 0 and 1."""
    return small.as_text(np.isin(np.arange(n_classifiers), selected))


def solve(votes: NDArray[np.bool_], y: ArrayLike, settings: Settings, **options: Any) -> PruningResult:
    """Prune by the page's solver and time limit."""
    return prune(votes, y, solver=settings.solver, time_limit=settings.time_limit, **options)


def confusion_matrix(results: Results) -> ShownTable:
    """Table 1."""
    cells = [["true positive, T⁺", "false negative, F⁻"], ["false positive, F⁺", "true negative, T⁻"]]
    matrix = pd.DataFrame(
        cells, index=["is positive", "is negative"], columns=["called positive", "called negative"]
    )
    return show(matrix, name="ensemble_pruning_table_1", caption="Table 1: the confusion matrix")


def threshold(results: Results) -> ShownTable:
    """What ten members with a threshold of five call a point."""
    calls = small.monotone_table(10, 5).set_index("positive votes")
    return show(calls.T, name="ensemble_pruning_threshold", caption="Ten members, L = 5")


def every_ensemble(words: tuple[str, str]) -> pd.DataFrame:
    """All ensembles of an instance, best first."""
    return small.ensembles(PruningInstance.from_votes(*votes_of(*words)))


def listed(results: Results) -> ShownTable:
    """The best ensembles of ten points."""
    every = every_ensemble(TEN_POINTS)
    return show(
        every.head(6), name="ensemble_pruning_listed", caption=f"The six best of {len(every)} ensembles"
    )


def listed_numbers(results: Results) -> dict[str, int]:
    """Return how many ensembles there are, and the value of the best."""
    every = every_ensemble(TEN_POINTS)
    return {"ep_all": len(every), "ep_best": int(every["value"].max())}


def solved(results: Results) -> ShownTable:
    """The optimum by the paper's program and by the strengthened one."""
    rows = []
    for formulation in ("plain", "strengthened"):
        best = solve(*votes_of(*TEN_POINTS), results.settings, formulation=formulation)
        solver = str(best.choice or NO_SOLVER)
        rows.append((formulation, word(best.selected), best.threshold, best.value, best.bound, solver))
    return show(
        pd.DataFrame(rows, columns=["formulation", "x", "L", "value", "bound", "solver"]),
        name="ensemble_pruning_solved",
        caption="The optimum by two formulations",
    )


def votes(results: Results, width: float) -> Figure:
    """The votes on ten points and the best ensemble."""
    votes, y = votes_of(*TEN_POINTS)
    best = solve(votes, y, results.settings)
    return pictures.votes_picture(votes, y, list(best.selected), best.threshold, width)


def sets(results: Results, width: float) -> Figure:
    """Every set of the ten points' classifiers, and which of them the limits on diversity exclude."""
    votes, y = votes_of(*TEN_POINTS)
    credited = small.credited_sets(every_ensemble(TEN_POINTS), failure_credit(failure_patterns(votes, y)))
    return pictures.sets_picture(credited, *diversity_limits(votes, y, "F3"), width)


def credit_numbers(results: Results) -> dict[str, int | str]:
    """Return distance, failures and credit of the paper's two failure patterns."""
    right = np.array([[letter == "1" for letter in pattern] for pattern in CREDITED]).T
    credit = failure_credit(right)[0, 1]
    return {
        "ep_fc": str(Fraction(credit).limit_denominator(100)),
        "ep_distance": int((right[:, 0] != right[:, 1]).sum()),
        "ep_failures": int((~right).sum()),
    }


def credits(results: Results) -> ShownTable:
    """Failure credits of the classifiers of the ten points."""
    credit = failure_credit(failure_patterns(*votes_of(*TEN_POINTS)))
    return show(
        small.fractions(credit), name="ensemble_pruning_credits", caption="Failure credits FC of all pairs"
    )


def diversity(results: Results) -> ShownTable:
    """Three configurations, by the program and from the list."""
    rows = []
    for name, words in (("first", TEN_POINTS), ("second", OTHER_TEN)):
        votes, y = votes_of(*words)
        credit, every = failure_credit(failure_patterns(votes, y)), every_ensemble(words)
        for configuration in ("F1", "F2", "F3"):
            limits = (0.0, 0.0) if configuration == "F1" else diversity_limits(votes, y, configuration)
            best = solve(votes, y, results.settings, min_pfc=limits[0], mean_pfc=limits[1])
            of_list = small.diverse(every, Diversity(credit, *limits))["value"].max()
            texts = [str(Fraction(limit).limit_denominator(5000)) for limit in limits]
            rows.append(
                (name, configuration, *texts, word(best.selected), best.threshold, best.value, of_list)
            )
    columns = ["example", "configuration", "τ", "γ", "x", "L", "value", "best of the list"]
    return show(
        pd.DataFrame(rows, columns=columns),
        name="ensemble_pruning_diversity",
        caption="Three configurations on two examples, by the program and from the list of all ensembles",
    )


def two_objectives(settings: Settings) -> pd.DataFrame:
    """Accuracy and balanced accuracy as objectives, where one class is rare."""
    votes, y = votes_of(*RARE)
    n, n1 = len(y), int(y.sum())
    n0 = n - n1
    rows = []
    for objective in ("accuracy", "balanced_accuracy"):
        best = solve(votes, y, settings, objective=objective)
        called = called_positive(votes, best.selected, best.threshold)
        true = int((called & y).sum()), int((~called & ~y).sum())
        z = ((1 - n1 / n) * true[0]) + (n1 / n) * true[1]
        shares = sum(true) / n, (true[0] / n1 + true[1] / n0) / 2, n * z / (2 * n0 * n1)
        rows.append(
            (
                objective.replace("_", " "),
                word(best.selected),
                best.threshold,
                best.value,
                *true,
                *shares,
            )
        )
    columns = ["objective", "x", "L", "value", "T+", "T-", "accuracy", "BA", "BA by the identity"]
    return pd.DataFrame(rows, columns=columns)


def balanced(results: Results) -> ShownTable:
    """The same as a table."""
    return show(
        two_objectives(results.settings),
        name="ensemble_pruning_balanced",
        caption=f"Two objectives on the votes {RARE[0]} on positive points and {RARE[1]} on negative ones",
    )
