"""Checks of Tables 1 and 2 of Dash, Günlük and Wei (2018) on recorded results, and how much of its runs these are.

Every check takes the recorded tables as a mapping. The paper runs ten folds with 120 or 300 s for a fit; the recorded
runs have fewer folds and seconds, and programs of our own in place of BRS, AM, BCD and WEKA's RIPPER.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.datasets import LARGE, PRINTED, SMALL
from compactml.chapters.boolean_rules.protocol import NESTED, TRADE_OFF, Protocol
from compactml.chapters.boolean_rules.rows import CELL, best_accuracy
from compactml.chapters.boolean_rules.trials.paper import N_FOLDS, OURS, RULE_METHODS
from compactml.study.judging.comparison import STANDARD_ERRORS, Agreement, compare_means
from compactml.study.judging.evidence import Coverage, Evidence, Share, because, lacking
from compactml.study.profile import Profile
from compactml.study.recording.published import published

Tables = Mapping[str, pd.DataFrame]

PARTITION = {one.name: one.partition for one in PRINTED}
TRADE_OFF_RIVALS = tuple(method for method in RULE_METHODS if method != OURS)

OWN_PROGRAM = "our own program and settings, not the authors': of theirs only descriptions could be had"
OWN_RIPPER = "our own RIPPER after Cohen, where the paper used WEKA's"
LEAF_GRID = "the paper gives no grid of leaf sizes"
INFERRED = {
    **dict.fromkeys(TRADE_OFF_RIVALS, OWN_PROGRAM),
    "RIPPER": OWN_RIPPER,
    **dict.fromkeys(("CART", "RF"), LEAF_GRID),
}
"""What we had to infer of each method but CG."""
LESS_TIME = "a worse accuracy after a fraction of the paper's seconds for a fit may be due to time"
COPIED = "the complexities printed for gas and musk are the same, so that one of them is a slip"


def stated(name: str) -> float:
    """A number that the paper's text gives."""
    numbers = published(NAME, "statements").set_index("statement")["value"]
    return float(numbers[name])


def not_run(what: str, stated: int = 1) -> Evidence:
    """Evidence that is missing."""
    return Evidence.missing(f"{what} was not run", stated)


def printed_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Without our other readings of a printed row."""
    return frame[frame["dataset"].isin(list(PARTITION))]


def over(
    rows: pd.DataFrame, of: int, protocols: Mapping[Profile, Mapping[str, Protocol]] = NESTED
) -> Coverage:
    """Datasets, folds and seconds of a fit behind rows of a recorded table, as shares of the paper's.

    Only CG has a time limit; the other methods end by themselves.
    """
    least, most = int(rows["folds"].min()), int(rows["folds"].max())
    small, large = (protocols[Profile.STANDARD][part].time_limit for part in (SMALL, LARGE))
    parts = set(rows["dataset"].map(PARTITION))
    seconds = large if LARGE in parts else small
    only = f", {small:g} s on a small one" if parts == {SMALL, LARGE} else ""
    fewer = f", {least} on large datasets" if least < most else ""
    limit = Share(seconds, protocols[Profile.PAPER][LARGE].time_limit, f"s a fit{only}")
    return Coverage(
        Share(rows["dataset"].nunique(), of, "datasets"),
        Share(most, N_FOLDS, f"folds{fewer}"),
        limit if OURS in set(rows["method"]) else None,
    )


def of_method(frame: pd.DataFrame, *methods: str) -> pd.DataFrame:
    """The rows of some methods on the paper's datasets."""
    return printed_names(frame[frame["method"].isin(methods)])


def cells(tables: Tables, table: str, method: str) -> Evidence:
    """All cells of one method, within two standard errors of the difference."""
    printed = of_method(published(NAME, table), method)
    own = tables[table]
    judged = compare_means(printed, own, None, CELL)
    judged = judged[judged["verdict"] != Agreement.NOT_RUN].set_index("dataset")
    if judged.empty:
        return not_run(method, len(printed))
    right = judged["verdict"] != Agreement.DIFFERS
    named = ", ".join(f"{name} {value:+.1f}" for name, value in judged.loc[~right, "difference"].items())
    value = pd.to_numeric(judged["published"])
    loose = int((right & (value > 0) & (judged["tolerance"] >= value)).sum())
    doubtful, doubt = _doubts(tables, table, judged) if method == OURS else (np.zeros(len(judged), bool), "")
    return Evidence.of_cells(
        right,
        f"{right.sum()} of {len(judged)} cells agree" + (f"; differing: {named}" if named else ""),
        because(
            lacking(len(judged), len(printed)),
            f"{loose} of those that agree have errors as large as the printed number and say little"
            if loose
            else "",
        ),
        stated=len(printed),
        doubtful=doubtful,
        doubt=doubt,
        inferred=INFERRED.get(method, ""),
        coverage=over(of_method(own, method), len(printed)),
    )


def _doubts(tables: Tables, table: str, judged: pd.DataFrame) -> tuple[np.ndarray, str]:
    """Cells of CG that refute nothing if they differ, and why."""
    if table == "table_2":
        return judged.index.isin(["gas", "musk"]), COPIED
    worse = judged["difference"].astype(float) < 0
    return (worse & ~judged.index.isin(list(quickly_solved(tables)))).to_numpy(), LESS_TIME


def quickly_solved(tables: Tables) -> set[str]:
    """Datasets all of whose recorded training problems were proved optimal within the time that a fit had."""
    optima = printed_names(tables.get("optima", pd.DataFrame({"dataset": [], "proved": [], "seconds": []})))
    limits = (
        optima["dataset"]
        .map(PARTITION)
        .map({part: protocol.time_limit for part, protocol in NESTED[Profile.STANDARD].items()})
    )
    solved = (optima["proved"] == 1) & (optima["seconds"] <= limits)
    return {str(name) for name, all_of_it in solved.groupby(optima["dataset"]).all().items() if all_of_it}


def best_on_heart(tables: Tables) -> Evidence:
    """The most accurate point of CG in Fig 1a, a mean over ten folds there."""
    best = best_accuracy(tables["fig_1"], "heart")
    if best is None:
        return not_run("heart")
    error = 0.0 if np.isnan(best["accuracy_error"]) else best["accuracy_error"]
    off = best["accuracy"] - stated("heart_best_accuracy")
    hurried = off < 0 and "heart" not in quickly_solved(tables)
    return Evidence.of_statement(
        abs(off) <= STANDARD_ERRORS * error,
        f"{best['accuracy']:.1f} ({error:.1f}) % at C = {best['parameter']:g}",
        f"best of all C on {best['folds']:.0f} of ten folds: anything within {STANDARD_ERRORS * error:.1f} points "
        "would agree",
        doubt=LESS_TIME if hurried else "",
        coverage=over(best.to_frame().T, 1, TRADE_OFF),
    )
