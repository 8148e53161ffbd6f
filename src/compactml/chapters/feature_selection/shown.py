"""What the notebooks of the chapter show: its tables and figures, made of its results."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.feature_selection import beyond
from compactml.chapters.feature_selection import readings as forensics
from compactml.chapters.feature_selection.cells import OURS
from compactml.chapters.feature_selection.claims.common import PAPER_LIMIT
from compactml.chapters.feature_selection.printed import FOLDS, PARAMETRIC, THREADS
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results

PROOF_COLUMNS = [
    "dataset", "measure", "value", "bound", "gap_rel", "n_selected", "proved", "certificate_verified", "iterations",
    "seconds",
]  # fmt: skip
GROWTH_COLUMNS = [
    "p", "method", "outcome", "value", "bound", "n_selected", "iterations", "seconds", "solver",
]  # fmt: skip

SCORE_COLUMNS = ["f1_nb_mean", "f1_nb_std", "f1_rf_mean", "f1_rf_std"]
RUN_COLUMNS = ["dataset", "measure", "method", "time_limit", "outcome", "gap_proved", "iterations", "seconds"]


def chosen(results: Results, id: str, columns: list[str], caption: str) -> ShownTable:
    """Some columns of our rows of a table."""
    return show(
        results.rows(id)[columns],
        name=f"feature_selection_{id}",
        caption=caption,
        note=results.both_sources(id),
    )


def how_it_was_run(results: Results) -> ShownTable:
    """What the paper's runs had, and ours."""
    runs = [results.recorded(id) for id in ("table_2", "table_3", "table_4")]
    limits = pd.concat(runs)["time_limit"].dropna()
    rows = {
        "solvers": ("CPLEX 12.9", "Gurobi, CPLEX, SCIP or HiGHS, as size and licence allow"),
        "threads of a run": (str(THREADS), "1"),
        "seconds of a run": (f"{PAPER_LIMIT:,.0f}", f"{limits.max():,.0f} recorded" if len(limits) else "not recorded"),
        "tolerance": ("1 % or 0.001", "the same"),
        "heuristics": ("scikit-feature", "our code of its rules, raw values; scikit-feature itself for times"),
        "scores": (f"F1, {FOLDS} folds, settings not stated", f"weighted F1, {FOLDS} folds, trees of depth 2"),
        "naive Bayes": ("kind not stated", "multinomial where Table 1 says discrete, else Gaussian"),
        "discretisation": ("not stated", "ten bins of equal width where Table 1 says continuous, with exceptions"),
    }  # fmt: skip
    return show(
        pd.DataFrame.from_dict(rows, orient="index", columns=["the paper", "here"]),
        name="feature_selection_how",
        caption="How it was run",
    )


def heuristics(results: Results) -> ShownTable:
    """The heuristic's sets on raw values."""
    return chosen(
        results,
        "heuristics",
        ["dataset", "measure", "outcome", "n_selected", *SCORE_COLUMNS],
        "The heuristic on raw values: how its order ended, its size and its scores",
    )


def heuristic_times(results: Results) -> ShownTable:
    """How long the paper's program of the heuristic takes."""
    return chosen(
        results,
        "heuristic_times",
        ["dataset", "measure", "time_limit", "outcome", "seconds", "n_selected", "as_ours", "solver"],
        "scikit-feature on the raw values, time of the processor; same columns: 1 where ours selects them",
    )


def value_disjunction(results: Results) -> ShownTable:
    """Model (12) on small datasets."""
    return chosen(results, "model_12", RUN_COLUMNS, "Model (12) on the datasets of up to 60 features")


def early_stop(results: Results) -> ShownTable:
    """Algorithms 1 and 2 with and without the early stop."""
    return chosen(
        results,
        "early_stop",
        [*RUN_COLUMNS, "early_stop"],
        "Algorithms 1 and 2 with and without the early stop",
    )


def hour(results: Results) -> ShownTable:
    """Algorithms 1 and 2 with the paper's limit."""
    return chosen(results, "hour", RUN_COLUMNS, "Algorithms 1 and 2 for mRMR with the paper's limit")


def optima(results: Results) -> ShownTable:
    """The optimal sets with their scores."""
    return chosen(
        results,
        "optima",
        ["dataset", "measure", "value", "bound", "proved", "n_selected", *SCORE_COLUMNS],
        "Our sets at the paper's tolerance, with their F1 scores",
    )


def sizes(results: Results) -> ShownTable:
    """Table 1."""
    return show(
        results.rows("table_1"),
        name="feature_selection_table_1",
        caption="Table 1: features p and rows n, printed and as read here",
        note=results.both_sources("table_1"),
    )


def readings_overview(results: Results) -> ShownTable:
    """The readings of each instance that are compatible with print."""
    return show(
        forensics.overview(forensics.with_evidence(results.rows("readings"))),
        name="feature_selection_readings_overview",
        caption="Readings that are compatible with the printed gaps, iterations and times",
        note=results.both_sources("readings"),
    )


def readings(results: Results) -> ShownTable:
    """Every reading beside print."""
    return show(
        forensics.with_evidence(results.rows("readings")),
        name="feature_selection_readings",
        caption="Every reading: value of all features, optimum, size, and whether print agrees",
    )


def better_readings(results: Results) -> ShownTable:
    """Readings that explain more than the one taken."""
    trials = results.rows("readings")
    return show(
        forensics.better(trials, forensics.with_evidence(trials)),
        name="feature_selection_better_readings",
        caption="Readings that explain more than the one taken: kinds of evidence that agree over both measures, and "
        "measures on which the other one is compatible",
    )


def discretizers(results: Results) -> ShownTable:
    """What each discretiser explains."""
    trials = results.rows("readings")
    return show(
        forensics.discretizers(trials, forensics.with_evidence(trials)),
        name="feature_selection_discretizers",
        caption="Discretisers: instances that they are compatible with",
    )


def instances(results: Results) -> ShownTable:
    """The paper's problems: its best run, the best re-run of its methods here, and ours."""
    readings_recorded = results.recorded("readings")
    return show(
        beyond.all_instances(results.rows("beyond"), beyond.reruns(results), readings_recorded),
        name="feature_selection_beyond",
        caption="The paper's best run (≈: Algorithm 2's estimate), the best run of its methods here, and ours: value, "
        "proved bound, seconds of one thread; checked: the verifier accepts the certificate; fits print: the data as "
        "read here are compatible with all printed gaps and iterations",
        note=results.both_sources("beyond"),
    )


def exact(results: Results) -> ShownTable:
    """Our proofs to the sixth digit."""
    return show(
        results.rows("exact")[PROOF_COLUMNS],
        name="feature_selection_exact",
        caption="To a relative gap of one in a million",
        note=results.both_sources("exact"),
    )


def growth(results: Results) -> ShownTable:
    """How each run of the study of growth ended."""
    rows = results.rows("growth").sort_values(["p", "method"])
    return show(
        rows[GROWTH_COLUMNS].reset_index(drop=True),
        name="feature_selection_growth",
        caption="Growth: how each run ended",
        note=results.both_sources("growth"),
    )


def ratios(results: Results) -> ShownTable:
    """Algorithm 2 against ours; where it was stopped the ratio is a lower bound."""
    table = beyond.ratios(results.rows("growth"), PARAMETRIC[1])
    return show(
        table.rename(columns={name: f"time, {name} (s)" for name in (PARAMETRIC[1], OURS)}),
        name="feature_selection_ratio",
        caption="Times of Algorithm 2 with the best solver at hand and of ours, same matrix, same run",
        note=results.both_sources("growth"),
    )
