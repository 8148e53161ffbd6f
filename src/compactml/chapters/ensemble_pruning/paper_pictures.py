"""The paper's tables as the second notebook shows them: pictures, the full tables beside print, and how it was run."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.ensemble_pruning import figures, printed, rows
from compactml.chapters.ensemble_pruning.judging import positive_shares
from compactml.chapters.ensemble_pruning.opening import rank_panel
from compactml.chapters.ensemble_pruning.protocol import PAPER_LIMIT, PROTOCOLS, SIZES
from compactml.chapters.ensemble_pruning.rows import BY_ACCURACY, BY_BALANCED_ACCURACY, LABELS
from compactml.study.page.beside_print import beside_print, differing
from compactml.study.page.html import ShownTable, show
from compactml.study.page.rings import rings
from compactml.study.page.squares import COLOURS, UNDECIDED, Squares, outcome
from compactml.study.profile import Profile
from compactml.study.recording.results import Results

__all__ = [
    "balanced_accuracies", "differing_sizes", "gaps", "mean_ranks", "mean_squares", "ranks_by_accuracy",
    "ranks_by_balanced_accuracy", "setting", "size_squares", "table_2", "table_3", "table_4", "table_5", "table_6",
    "theta_mean_ranks",
]  # fmt: skip

UNJUDGED = "decides nothing"
"""What becomes of a number of features, and of one of points that says which file is meant."""
CONFIGURATIONS = {"F1": "without diversity", "F3": "with diversity"}
"""Of Table 3."""


def setting(results: Results) -> ShownTable:
    """How Tables 4 to 6 were run: in the paper, as recorded, and in this build."""
    recorded = results.recorded("table_4")
    here = PROTOCOLS[Profile(results.settings.profile)]
    folds = recorded[["dataset", "seed", "fold"]].drop_duplicates().groupby("dataset").size()
    limits = recorded.loc[recorded["kind"] == "program", "time_limit"].dropna()
    ours = "ten families of scikit-learn"
    table = {
        "classifiers": ("ten kinds, not named", ours, ours),
        "datasets": (len(rows.NAMES), recorded["dataset"].nunique(), len(here.datasets)),
        "runs of a dataset": (printed.RUNS, _listed(folds), len(here.runs)),
        "pool sizes K": (_listed(SIZES), _listed(recorded["K"]), _listed(here.sizes)),
        "seconds a program": (f"{PAPER_LIMIT:g}", _listed(limits), f"{here.limit:g}"),
        "threads": (8, 1, 1),
        "programs solved by": ("CPLEX 12.8", "our method", "our method"),
    }
    heads = ["the paper", "recorded", "this build"]
    frame = pd.DataFrame.from_dict(table, orient="index", columns=heads)
    return show(frame, name="ensemble_pruning_setting", caption="How Tables 4 to 6 were run")


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in sorted(set(values))) or "nothing yet"


def size_squares(results: Results, width: float) -> Figure:
    """Table 2 without θ: a row a dataset."""
    cells = results.counted_cells("table_2")
    cells = cells[~positive_shares(cells)].assign(of="")
    cells["outcome"] = [outcome(row) if row["verdict"] else UNJUDGED for row in cells.to_dict("records")]
    cells = cells.replace({"quantity": {"N": "points"}})
    return Squares(cells, ["dataset", "quantity"], "of", {**COLOURS, UNJUDGED: UNDECIDED}).draw(width)


def mean_ranks(results: Results, width: float) -> Figure:
    """The last row of Table 4."""
    what = "mean rank of accuracy over the pool sizes"
    return rings([rank_panel("table_4", results.rows("table_4"), BY_ACCURACY, what)], width)


def theta_mean_ranks(results: Results, width: float) -> Figure:
    """The last row of Table 6."""
    what = "mean rank of balanced accuracy over the pool sizes"
    return rings([rank_panel("table_6", results.rows("table_6"), BY_BALANCED_ACCURACY, what)], width)


def mean_squares(results: Results, width: float) -> Figure:
    """Table 5: a row a dataset, without the averages over all cases, which are not judged."""
    cells = results.counted_cells("table_5")
    judged = cells[cells["verdict"] != ""].replace({"method": LABELS})
    return Squares(judged.assign(of="pool of " + judged["K"]), ["dataset", "method"], "of").draw(width)


def gaps(results: Results, width: float) -> Figure:
    """Table 3."""
    ours = rows.gap_cells(results.rows("table_3"))
    return figures.gaps(printed.gap_cells(), ours, CONFIGURATIONS, width)


def balanced_accuracies(results: Results, width: float) -> Figure:
    """Table 5, without the averages over all cases."""
    published = printed.mean_cells()
    published = published[published["dataset"] != rows.ALL_CASES]
    ours = rows.balanced_cells(results.rows("table_5"))
    return figures.balanced(published, ours, rows.BALANCED_METHODS, width)


def ranks_by_accuracy(results: Results, width: float) -> Figure:
    """Mean ranks of Table 4's methods over the datasets."""
    return figures.ranks(figures.rank_comparison(results.rows("table_4"), BY_ACCURACY), width)


def ranks_by_balanced_accuracy(results: Results, width: float) -> Figure:
    """Mean ranks of Table 6's methods over the datasets."""
    return figures.ranks(figures.rank_comparison(results.rows("table_6"), BY_BALANCED_ACCURACY), width)


def _beside(results: Results, id: str) -> ShownTable:
    return beside_print(results.chapter, id, results.finished(id), results.left_out(id))


def table_2(results: Results) -> ShownTable:
    """Table 2 in full."""
    return _beside(results, "table_2")


def table_3(results: Results) -> ShownTable:
    """Table 3 in full."""
    return _beside(results, "table_3")


def table_4(results: Results) -> ShownTable:
    """Table 4 in full."""
    return _beside(results, "table_4")


def table_5(results: Results) -> ShownTable:
    """Table 5 in full."""
    return _beside(results, "table_5")


def table_6(results: Results) -> ShownTable:
    """Table 6 in full."""
    return _beside(results, "table_6")


def differing_sizes(results: Results) -> ShownTable:
    """The numbers of Table 2 that differ."""
    return differing(results.chapter, "table_2", results.finished("table_2"), results.left_out("table_2"))
