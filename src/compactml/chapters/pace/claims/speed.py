"""Checks of what Akkerman, Ferry, Guyard and Vidal (2026) state of separation and of the generation phase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.pace.claims.coverage import HISTORIES, LOOPS, N_DATASETS, Tables, covered
from compactml.chapters.pace.claims.printed_checks import listed
from compactml.chapters.pace.figures import history_rows
from compactml.chapters.pace.rows import by_setting, geometric, ratios, setting_text
from compactml.chapters.pace.trials.beyond import TIME
from compactml.study.judging.evidence import Evidence, because

MEANINGFUL = 0.9
"""A form that takes at least this share of the other's time is no meaningful improvement; the paper gives no number."""
VANISHED = 0.1
"""A reduced cost of at most this share of the first one counts as near to 0."""
LINEAR = 0.9
"""Share of the variation that a straight line explains, for growth that is roughly linear."""
POINTS = 5
"""Points that a line must have for that to say anything."""


def _text(found: pd.DataFrame) -> str:
    means = by_setting(found)
    listed = ", ".join(f"{name} {value:.2g}" for name, value in means.items())
    bounds = f"; {int(found['bound'].sum())} of them lower bounds" if found["bound"].any() else ""
    return f"{listed}; all {geometric(found['ratio']):.2g} ({len(found)} runs{bounds})"


def _settings(
    rows: pd.DataFrame, found: pd.DataFrame, right: pd.Series, text: str, reason: str = ""
) -> Evidence:
    """Evidence of a statement about each setting, a mean over datasets; how many settings the paper has is lost.

    A setting counts as many cells as the paper has datasets, and those that were run are tested.
    """
    n_datasets = found["dataset"].nunique()
    seen = [found.loc[_named(found) == name, "dataset"].nunique() for name in right.index]
    settings = rows[["depth", "n_learners"]].drop_duplicates()
    few = f"{N_DATASETS - n_datasets} of {N_DATASETS} datasets not run" if n_datasets < N_DATASETS else ""
    return Evidence.of_cells(
        np.repeat(right.to_numpy(dtype=bool), seen),
        f"{text}: {_text(found)}" if len(found) else "",
        because(reason, few, "a mean over datasets for each of our settings"),
        stated=max(len(settings), 1) * N_DATASETS,
        inferred=LOOPS,
        coverage=covered(rows, n_datasets),
        numbers={"times": f"{geometric(found['ratio']):.1f}"} if len(found) else {},
    )


def _named(found: pd.DataFrame) -> pd.Series:
    """The setting of each run, as `by_setting` names it."""
    pairs = zip(found["n_learners"], found["depth"], strict=True)
    return pd.Series(
        [setting_text(int(n), int(depth)) for n, depth in pairs], index=found.index, dtype=object
    )


def faster(tables: Tables, table: str, form: str) -> Evidence:
    """In every setting the constraint form is faster than another."""
    found = ratios(tables[table], "seconds", form)
    slower = int((found["ratio"] < 1).sum())
    reason = f"the other form is faster in {slower} of {len(found)} single runs"
    text = f"time of {form} / constraint"
    return _settings(tables[table], found, by_setting(found) > 1, text, reason)


def more_samples(tables: Tables, table: str, form: str = "objective") -> Evidence:
    """In every setting the constraint form adds more separating samples than another."""
    found = ratios(tables[table], "n_samples", form)
    found = found[found["bound"] == 0]  # the samples of a run that did not end are not all
    return _settings(tables[table], found, by_setting(found) < 1, f"samples of {form} / constraint")


def no_gain(tables: Tables, table: str, form: str = "both") -> Evidence:
    """Objective and constraint together are not meaningfully faster than the constraint alone."""
    found = ratios(tables[table], "seconds", form)
    return _settings(tables[table], found, by_setting(found) >= MEANINGFUL, f"time of {form} / constraint")


# Figs 10 and 11


def _runs(tables: Tables, table: str) -> dict[str, pd.DataFrame]:
    """Records of at least two steps with the paper's pricing, by initial ensemble and run."""
    steps = history_rows(tables[table])
    steps = steps[steps["method"] == "cart"].drop(columns="method").astype(float)
    runs: dict[str, pd.DataFrame] = {}
    for n, depth, seed in steps[["n_learners", "depth", "seed"]].drop_duplicates().itertuples(index=False):
        own = steps[(steps["n_learners"] == n) & (steps["depth"] == depth) & (steps["seed"] == seed)]
        if len(own) > 1:
            runs[_run(n, depth, seed)] = own
    return runs


def _run(n: float, depth: float, seed: float) -> str:
    return setting_text(int(n), int(depth)) + (f" run {seed:g}" if seed else "")


def _stopped(rows: pd.DataFrame) -> list[str]:
    """Runs with the paper's pricing that ended with their time, not by themselves."""
    own = rows[(rows["method"] == "cart") & (rows["ended"] == TIME)]
    return [_run(*key) for key in own[["n_learners", "depth", "seed"]].itertuples(index=False)]


def _histories(
    tables: Tables, table: str, right: Mapping[str, bool], found: str, reason: str = "", **more: Any
) -> Evidence:
    """Evidence of a statement about each initial ensemble of a figure; how many the paper has is lost."""
    rows = tables[table]
    asked = rows[rows["method"] == "cart"]
    few = f"{len(asked) - len(right)} of {len(asked)} runs generate too few learners to tell"
    return Evidence.of_cells(
        list(right.values()),
        found if right else "",
        because(reason, few if len(right) < len(asked) else ""),
        stated=max(len(asked), 1),
        inferred=HISTORIES,
        coverage=covered(rows, 1, 1),
        **more,
    )


def reduced_cost_vanishes(tables: Tables, table: str) -> Evidence:
    """The last reduced cost is near to 0, measured by the first; where it is not when the time is out, nobody knows."""
    runs = _runs(tables, table)
    left = {
        name: max(-own["reduced_cost"].iloc[-1], 0) / -own["reduced_cost"].iloc[0]
        for name, own in runs.items()
    }
    ran_out = [name in _stopped(tables[table]) for name in left]
    found = f"last r over first r: {listed(pd.Series(left, dtype=float), 3)}"
    right = {name: value <= VANISHED for name, value in left.items()}
    doubt = "not at 0 when the time was out, which is far shorter than the paper's"
    return _histories(tables, table, right, found, doubtful=ran_out, doubt=doubt)


def value_falls(tables: Tables, table: str) -> Evidence:
    """The value of (P1) at the end is below that at the beginning."""
    ratio = {
        name: own["lp_value"].iloc[-1] / own["lp_value"].iloc[0] for name, own in _runs(tables, table).items()
    }
    found = f"last value over first: {listed(pd.Series(ratio, dtype=float), 3)}"
    right = {name: value < 1 for name, value in ratio.items()}
    return _histories(tables, table, right, found, "samples are added meanwhile, which may raise the value")


def first_samples(tables: Tables, table: str) -> Evidence:
    """Most separating samples are found before the first learner is generated."""
    share = {
        name: own["n_samples"].iloc[0] / max(own["n_samples"].iloc[-1], 1)
        for name, own in _runs(tables, table).items()
    }
    found = f"share of the samples: {listed(pd.Series(share, dtype=float), 2)}"
    return _histories(tables, table, {name: value > 0.5 for name, value in share.items()}, found)


def linear_growth(tables: Tables, table: str, measure: str) -> Evidence:
    """After the first learner, problems or samples grow in proportion to the learners."""
    runs = {name: own.iloc[1:] for name, own in _runs(tables, table).items() if len(own) > POINTS}
    explained = {name: _explained(own["generated"], own[measure]) for name, own in runs.items()}
    found = f"R²: {listed(pd.Series(explained, dtype=float), 3)}"
    return _histories(tables, table, {name: value >= LINEAR for name, value in explained.items()}, found)


def _explained(x: pd.Series, y: pd.Series) -> float:
    """Share of the variance that a straight line explains; 1 for a constant."""
    return 1.0 if np.ptp(y) == 0 else float(np.corrcoef(x, y)[0, 1] ** 2)
