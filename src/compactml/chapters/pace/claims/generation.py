"""Claims on the generation phase: Figs 10 and 11."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import HISTORIES, PROSE, Tables, covered, listed
from compactml.chapters.pace.pictures.histories import history_rows
from compactml.chapters.pace.rows import setting_text
from compactml.chapters.pace.trials.beyond import TIME
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because

claim = partial(claim, NAME)

VANISHED = 0.1
"""A reduced cost of at most this share of the first one counts as near to 0."""
LINEAR = 0.9
"""Share of the variation that a straight line explains, for growth that is roughly linear."""
POINTS = 5
"""Points that a line must have for that to say anything."""
PLACE, ROUGHLY = "E.4, Fig {figure}", 'ours: "roughly"'
FIGURES = {
    "fig_10": {"table": "fig_10", "figure": 10, "what": "random forests"},
    "fig_11": {"table": "fig_11", "figure": 11, "what": "AdaBoost"},
}


@claim(
    "reduced-cost-{key}",
    PLACE,
    tolerance=f"{VANISHED:g} of the first one",
    why='ours: "converges"',
    over=FIGURES,
    interleaved=True,
)
def reduced_cost_vanishes(tables: Tables, table: str) -> Evidence:
    """The reduced cost of generated learners tends to 0 ({what}).

    The last one is measured by the first; where it is not near to 0 when the time is out, nobody knows.
    """
    runs = cart_runs(tables, table)
    left = {
        name: max(-own["reduced_cost"].iloc[-1], 0) / -own["reduced_cost"].iloc[0]
        for name, own in runs.items()
    }
    ran_out = [name in out_of_time(tables[table]) for name in left]
    found = f"last r over first r: {listed(pd.Series(left, dtype=float), 3)}"
    right = {name: value <= VANISHED for name, value in left.items()}
    doubt = "not at 0 when the time was out, which is far shorter than the paper's"
    return over_ensembles(tables, table, right, found, doubtful=ran_out, doubt=doubt)


@claim(
    "lp-value-{key}",
    PLACE,
    tolerance="below the value before, on the same samples",
    why=PROSE,
    over=FIGURES,
    interleaved=True,
)
def value_falls(tables: Tables, table: str) -> Evidence:
    """The value of the linear program (P1) decreases as learners are generated ({what}).

    The last value beside that of the initial learners on the samples at the end: from step to step samples are added,
    which may raise it.
    """
    rows = tables[table]
    measured = rows[(rows["method"] == "cart") & rows["start_value"].notna()]
    names = [run_name(*key) for key in measured[["n_learners", "depth", "seed"]].itertuples(index=False)]
    starts = dict(zip(names, measured["start_value"].astype(float), strict=True))
    if not starts:
        why = "the value of the initial learners on the last samples is still to be recorded"
        return Evidence.missing(why, int((rows["method"] == "cart").sum()) or 1)
    ratio = {
        name: own["lp_value"].iloc[-1] / starts[name]
        for name, own in cart_runs(tables, table).items()
        if name in starts
    }
    found = f"last value over first: {listed(pd.Series(ratio, dtype=float), 3)}"
    return over_ensembles(tables, table, {name: value < 1 for name, value in ratio.items()}, found)


@claim("convergence-slower", "E.4, Figs 10 and 11", tolerance="by eye", why=PROSE)
def slower_convergence(tables: Tables) -> Evidence:
    """The reduced cost converges more slowly for deeper and more numerous trees."""
    late = sum(len(out_of_time(tables[table])) for table in ("fig_10", "fig_11"))
    return Evidence.missing(f"the paper has no measure of it, and {late} of our runs ended with their time")


@claim("first-samples-{key}", PLACE, tolerance="half", why=PROSE, over=FIGURES, interleaved=True)
def first_samples(tables: Tables, table: str) -> Evidence:
    """Most separating samples are found before the first learner is generated ({what}).

    With more time there are more samples after it, so that a run ended by its time decides nothing.
    """
    late = out_of_time(tables[table])
    share = {
        name: own["n_samples"].iloc[0] / max(own["n_samples"].iloc[-1], 1)
        for name, own in cart_runs(tables, table).items()
    }
    right = {name: value > 0.5 and name not in late for name, value in share.items()}
    return over_ensembles(
        tables,
        table,
        right,
        f"share of the samples: {listed(pd.Series(share, dtype=float), 2)}",
        doubtful=[name in late for name in right],
        doubt="the time ended the run, and later samples lower the share",
    )


@claim(
    "linear-samples-{key}",
    PLACE,
    tolerance=f"R² of at least {LINEAR:g}",
    why=ROUGHLY,
    over=FIGURES,
    interleaved=True,
)
def linear_samples(tables: Tables, table: str) -> Evidence:
    """Separating samples then grow roughly linearly with the learners ({what}).

    That is after the first learner.
    """
    return linear_growth(tables, table, "n_samples")


@claim(
    "linear-problems-{key}",
    PLACE,
    tolerance=f"R² of at least {LINEAR:g}",
    why=ROUGHLY,
    over=FIGURES,
    interleaved=True,
)
def linear_problems(tables: Tables, table: str) -> Evidence:
    """Separation problems then grow roughly linearly with the learners ({what}).

    That is after the first learner.
    """
    return linear_growth(tables, table, "n_solved")


def linear_growth(tables: Tables, table: str, measure: str) -> Evidence:
    """After the first learner, problems or samples grow in proportion to the learners."""
    runs = {name: own.iloc[1:] for name, own in cart_runs(tables, table).items() if len(own) > POINTS}
    explained = {name: explained_share(own["generated"], own[measure]) for name, own in runs.items()}
    found = f"R²: {listed(pd.Series(explained, dtype=float), 3)}"
    return over_ensembles(tables, table, {name: value >= LINEAR for name, value in explained.items()}, found)


def cart_runs(tables: Tables, table: str) -> dict[str, pd.DataFrame]:
    """Records of at least two steps with the paper's pricing, by initial ensemble and run."""
    steps = history_rows(tables[table])
    steps = steps[steps["method"] == "cart"].drop(columns="method").astype(float)
    runs: dict[str, pd.DataFrame] = {}
    for n, depth, seed in steps[["n_learners", "depth", "seed"]].drop_duplicates().itertuples(index=False):
        own = steps[(steps["n_learners"] == n) & (steps["depth"] == depth) & (steps["seed"] == seed)]
        if len(own) > 1:
            runs[run_name(n, depth, seed)] = own
    return runs


def run_name(n: float, depth: float, seed: float) -> str:
    """A run in a text."""
    return setting_text(int(n), int(depth)) + (f" run {seed:g}" if seed else "")


def out_of_time(rows: pd.DataFrame) -> list[str]:
    """Runs with the paper's pricing that ended with their time, not by themselves."""
    own = rows[(rows["method"] == "cart") & (rows["ended"] == TIME)]
    return [run_name(*key) for key in own[["n_learners", "depth", "seed"]].itertuples(index=False)]


def over_ensembles(
    tables: Tables, table: str, right: Mapping[str, bool], text: str, reason: str = "", **more: Any
) -> Evidence:
    """Return the evidence of a statement about each initial ensemble of a figure; how many the paper has is lost."""
    rows = tables[table]
    asked = rows[rows["method"] == "cart"]
    few = f"{len(asked) - len(right)} of {len(asked)} runs generate too few learners to tell"
    return Evidence.of_cells(
        list(right.values()),
        text if right else "",
        because(reason, few if len(right) < len(asked) else ""),
        stated=max(len(asked), 1),
        inferred=HISTORIES,
        coverage=covered(rows, 1, 1),
        **more,
    )


def explained_share(x: pd.Series, y: pd.Series) -> float:
    """Share of the variance that a straight line explains; 1 for a constant."""
    return 1.0 if np.ptp(y) == 0 else float(np.corrcoef(x, y)[0, 1] ** 2)
