"""Checks of what the Boolean-rules chapter finds beyond the paper, on recorded tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules.claims.checks import PARTITION, Tables
from compactml.chapters.boolean_rules.datasets import DATASETS, LARGE
from compactml.chapters.boolean_rules.trials.engines import OURS as SEARCH
from compactml.study.judging.evidence import Evidence

CLOSE = 0.02
"""Relative gap that counts as nearly optimal on large datasets."""
FASTER = 10.0
LINEAR = 1.1
"""Largest exponent that counts as linear growth."""
LATE = 1.02
"""Share of the time allowed from which a run counts as late."""
STOPPED = (
    "stopped by its limit of time, or within the gap that it was asked for: more time could close the gap"
)


def proved_optima(tables: Tables) -> Evidence:
    """Training problems proved optimal."""
    rows = tables["optima"]
    proved = rows["proved"] == 1
    names = sorted({str(name) for name in rows.loc[proved, "dataset"]} & set(PARTITION))
    rest = ", ".join(f"{row.dataset} with C = {row.C} {row.gap:.1%}" for row in rows[~proved].itertuples())
    return Evidence.of_cells(
        proved,
        f"{proved.sum()} of {len(rows)} problems, on {len(names)} of the paper's datasets: {', '.join(names)}",
        f"gaps of the others: {rest}" if rest else "",
        doubtful=np.ones(len(rows), bool),
        doubt=STOPPED,
        numbers={"datasets": str(len(names)), "paper": str(len(PARTITION))},
    )


def large_bounds(tables: Tables) -> Evidence:
    """Gaps of training problems of large datasets."""
    rows = tables["optima"]
    parts = {one.name: one.partition for one in DATASETS}
    rows = rows[rows["dataset"].map(parts).fillna(LARGE) == LARGE]  # other readings are of adult and bank-mkt
    if rows.empty:
        return Evidence.missing("no large dataset was run")
    named = ", ".join(f"{row.dataset} {row.gap:.1%}" for row in rows.itertuples())
    return Evidence.of_cells(
        rows["gap"] <= CLOSE,
        f"gaps: {named}",
        doubtful=rows["proved"] == 0,
        doubt=STOPPED,
        numbers={"gap": f"{100 * rows['gap'].max():.1f} %", "seconds": f"{rows['seconds'].max():.0f} s"},
    )


def pricing_is_faster(tables: Tables) -> Evidence:
    """Seconds of the paper's program in a solver over those of our search; a stopped run counts with its time."""
    rows = tables["engines"]
    own = rows[(rows["method"] == SEARCH) & (rows["finished"] == 1)].set_index(["dataset", "C"])["seconds"]
    others = rows[(rows["method"] != SEARCH) & rows["seconds"].notna()]
    tasks = pd.MultiIndex.from_frame(others[["dataset", "C"]])
    ratio = others["seconds"].to_numpy() / own.reindex(tasks).to_numpy()
    finished = others[others["finished"] == 1].groupby("method").size()
    n_tasks = len(rows[["dataset", "C"]].drop_duplicates())
    shown = ", ".join(f"{name} {finished.get(name, 0)}" for name in others["method"].unique())
    return Evidence.of_cells(
        np.nan_to_num(ratio) > FASTER,
        f"the search solves {len(own)} of {n_tasks} tasks, {shown}; the others take {np.nanmin(ratio):,.0f} times as "
        "long or more",
        "solvers whose licence was too small for the program are left out",
        numbers={"least": f"{int(np.nanmin(ratio)):,}", "tasks": str(n_tasks), "solved": str(len(own))},
    )


def growth_is_linear(tables: Tables) -> Evidence:
    """Exponent of the seconds of exact pricing in the number of rows."""
    rows = tables["growth"].sort_values("n")
    exponents = {
        size: float(np.polyfit(np.log(rows["n"]), np.log(rows[f"exact_{size}"]), 1)[0]) for size in (2, 3)
    }
    last = rows.iloc[-1]
    return Evidence.of_cells(
        [value <= LINEAR for value in exponents.values()],
        ", ".join(f"exponent {value:.2f} with up to {size} conditions" for size, value in exponents.items()),
        f"one family of generated data, up to {last['n']:,.0f} rows in {last['exact_3']:.0f} s",
        numbers={"rows": f"{last['n']:,.0f}", "seconds": f"{last['exact_3']:.0f} s"},
    )


def toolkit_runs(tables: Tables) -> pd.DataFrame:
    """Runs of the authors' toolkit that chose some clause, each beside ours with its complexity as the bound."""
    return tables["aix360"].dropna(subset=["our_loss"])


def no_worse_than_the_toolkit(tables: Tables) -> Evidence:
    """Hamming loss on the training rows at equal complexity; a problem that two prices lead to counts once."""
    rows = toolkit_runs(tables).drop_duplicates(["dataset", "complexity"])
    better = int((rows["our_loss"] < rows["aix360_loss"]).sum())
    equal = int((rows["our_loss"] == rows["aix360_loss"]).sum())
    optimal = int((rows["our_loss"] == rows["our_bound"]).sum())
    return Evidence.of_cells(
        rows["our_loss"] <= rows["aix360_loss"],
        f"smaller loss {better} times, equal {equal} times, of {len(rows)}; {optimal} proved optimal",
        "an earlier version of our search; the toolkit prices complexity and does not bound it",
        numbers={"better": str(better), "problems": str(len(rows)), "optimal": str(optimal)},
    )


def no_worse_in_a_tenth(tables: Tables) -> Evidence:
    """The same when our search is told to stop after a tenth of the toolkit's seconds, which it may overrun."""
    rows = toolkit_runs(tables).dropna(subset=["our_loss_in_tenth"])
    no_worse = rows["our_loss_in_tenth"] <= rows["aix360_loss"]
    late = rows["our_seconds_in_tenth"] > LATE * rows["aix360_seconds"] / 10
    named = ", ".join(f"{row.dataset} with C = {row.complexity}" for row in rows[~no_worse].itertuples())
    return Evidence.of_cells(
        no_worse & ~late,
        f"no larger in {no_worse.sum()} of {len(rows)} runs" + (f"; larger: {named}" if named else ""),
        "an earlier version of our search",
        doubtful=no_worse,
        doubt=f"runs that stopped more than {LATE - 1:.0%} late show nothing of a tenth of the time",
    )
