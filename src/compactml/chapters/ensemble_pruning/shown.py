"""What the third notebook and the appendix show, and the pool: tables and figures, made of the chapter's results."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.ensemble_pruning import beyond, figures
from compactml.chapters.ensemble_pruning.claims import errata
from compactml.ensemble_pruning.pool.families import families_table
from compactml.study.page.dots import dots
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results


def families(results: Results) -> ShownTable:
    """The families of the pool."""
    return show(
        pd.DataFrame(families_table()).astype({"max_rows": "Int64"}),
        name="ensemble_pruning_families",
        caption="The ten families of the pool, and what is drawn at random for each classifier; training points: their "
        "number, drawn anew for each, where a family is slow (empty where it takes all)",
    )


def imbalance(results: Results) -> ShownTable:
    """Table 2's theta, printed and computed."""
    return show(
        errata.imbalance().round(4),
        name="ensemble_pruning_theta",
        caption="θ of Table 2, printed and as N1 / N",
    )


def validation(results: Results) -> ShownTable:
    """Table 3's numbers of validation points, printed and computed."""
    return show(
        errata.validation_table(),
        name="ensemble_pruning_validation",
        caption="“27 % of N” of Table 3, printed and computed",
    )


def pfc_of_one(results: Results) -> ShownTable:
    """The counter-example to the paper's statement on a PFC of 1, computed here."""
    return show(
        errata.pfc_table(),
        name="ensemble_pruning_pfc_of_one",
        caption="Three classifiers with a PFC of 1; a 1 stands where a classifier is right",
    )


def gap_curves(results: Results, width: float) -> Figure:
    """Gap by time limit."""
    return figures.curves(results.rows("curves"), width)


def curves(results: Results) -> ShownTable:
    """The last points of the curves."""
    return show(
        beyond.curves_table(results.rows("curves")).round(3),
        name="ensemble_pruning_curves",
        caption="Where each formulation stands at the last time limit (one fold)",
        note=results.both_sources("curves"),
    )


def bounds(results: Results) -> ShownTable:
    """What the bounds prove by themselves."""
    return show(
        beyond.bounds_table(results.rows("bounds")).round(3),
        name="ensemble_pruning_bounds",
        caption="Errors found and proved, gaps, seconds, and the paper's gap",
        note=results.both_sources("bounds"),
    )


def diversity(results: Results) -> ShownTable:
    """What the limits on diversity cost on the validation points."""
    return show(
        beyond.diversity_table(results.rows("table_4")).round(3),
        name="ensemble_pruning_diversity_cost",
        caption="What the limits of F2 and F3 cost",
        note=results.both_sources("table_4"),
    )


def overfitting(results: Results) -> ShownTable:
    """Accuracy on the three parts of the data."""
    return show(
        beyond.overfitting_table(results.rows("overfitting"), beyond.OVERFITTING).round(2),
        name="ensemble_pruning_overfitting",
        caption="Accuracy (%) on training, validation and test points, the loss from validation to test, "
        "and the mean size",
        note=results.both_sources("overfitting"),
    )


def bound_dots(results: Results, width: float) -> Figure:
    """Gap that each bound leaves to the best ensembles found, beside the paper's."""
    table = beyond.bounds_table(results.rows("bounds"))
    series = {
        "isotonic": "gap, isotonic (%)",
        "asummability": "gap, asummability (%)",
        "branching": "gap, branching (%)",
        "whole method": "gap, whole method (%)",
        "the paper": "paper's gap (%)",
    }
    values = {label: list(table[column]) for label, column in series.items()}
    return dots(list(table["dataset"]), values, "gap (%)", width)


def diversity_dots(results: Results, width: float) -> Figure:
    """In how many runs a program with diversity finds as good an ensemble as the one without."""
    table = beyond.diversity_table(results.rows("table_4"))
    series = {"limit on the mean": "F2", "both limits": "F3"}
    values = {
        label: list(100 * table[f"{name} reaches F1"] / table["runs"]) for label, name in series.items()
    }
    return dots(list(table["dataset"]), values, "runs with as good an ensemble (%)", width)


def generalisation(results: Results, width: float) -> Figure:
    """Validation and test accuracy of each method."""
    table = beyond.overfitting_table(results.rows("overfitting"), beyond.OVERFITTING)
    return figures.generalisation(table, width)


def sizes(results: Results, width: float) -> Figure:
    """Sizes of the ensembles, of all methods but the full ensemble."""
    return figures.sizes(results.rows("overfitting"), beyond.OVERFITTING[:-1], width)
