"""Checks of what Akkerman, Ferry, Guyard and Vidal (2026) state of separation and of the generation phase."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.experiments.pace_beyond import TIME
from compactml.report.claims import Evidence, Verdict
from compactml.report.pace_figures import history_rows
from compactml.report.pace_frames import by_setting, geometric, ratios, setting_text
from compactml.report.pace_print_checks import Tables, holds_in, listed, not_run

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


def faster(tables: Tables, table: str, form: str) -> Evidence:
    """In every setting the constraint form is faster than another."""
    found = ratios(tables[table], "seconds", form)
    if found.empty:
        return not_run(f"constraint and {form} to the end")
    means = by_setting(found)
    least = found.sort_values("ratio").iloc[0]
    reason = f"least ratio of a single run: {least['ratio']:.2g} ({least['dataset']})"
    text = f"time of {form} / constraint: {_text(found)}"
    return holds_in(means > 1, text, reason)


def more_samples(tables: Tables, table: str, form: str = "objective") -> Evidence:
    """In every setting the constraint form adds more separating samples than another."""
    found = ratios(tables[table], "n_samples", form)
    found = found[found["bound"] == 0]  # the samples of a run that did not end are not all
    if found.empty:
        return not_run(f"constraint and {form} to the end")
    means = by_setting(found)
    text = f"samples of {form} / constraint: {_text(found)}"
    return holds_in(means < 1, text)


def no_gain(tables: Tables, table: str, form: str = "both") -> Evidence:
    """Objective and constraint together are not meaningfully faster than the constraint alone."""
    found = ratios(tables[table], "seconds", form)
    if found.empty:
        return not_run(f"constraint and {form} to the end")
    means = by_setting(found)
    text = f"time of {form} / constraint: {_text(found)}"
    return holds_in(means >= MEANINGFUL, text)


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
    if "ended" not in rows:
        return []
    own = rows[(rows["method"] == "cart") & (rows["ended"] == TIME)]
    return [_run(*key) for key in own[["n_learners", "depth", "seed"]].itertuples(index=False)]


def _judged(measure: str, found: dict[str, float], right: dict[str, bool], digits: int) -> Evidence:
    values = ", ".join(f"{name} {value:.{digits}f}" for name, value in found.items())
    return holds_in(list(right.values()), f"{measure}: {values}")


def reduced_cost_vanishes(tables: Tables, table: str) -> Evidence:
    """The last reduced cost is near to 0, measured by the first; where it is not when the time is out, nobody knows."""
    runs = _runs(tables, table)
    if not runs:
        return not_run("any generation of two learners")
    left = {
        name: max(-own["reduced_cost"].iloc[-1], 0) / -own["reduced_cost"].iloc[0]
        for name, own in runs.items()
    }
    stopped = [name for name in _stopped(tables[table]) if left.get(name, 0.0) > VANISHED]
    right = [value <= VANISHED for name, value in left.items() if name not in stopped]
    found = f"last r over first r: {listed(pd.Series(left), 3)}"
    reason = f"not at 0 when the time was out, so not counted: {', '.join(stopped)}" if stopped else ""
    return holds_in(right, found, reason) if right else Evidence(Verdict.NOT_TESTABLE, found, reason)


def value_falls(tables: Tables, table: str) -> Evidence:
    """The value of (P1) at the end is below that at the beginning."""
    runs = _runs(tables, table)
    if not runs:
        return not_run("any generation of two learners")
    ratio = {name: own["lp_value"].iloc[-1] / own["lp_value"].iloc[0] for name, own in runs.items()}
    return _judged("last value over first", ratio, {name: value < 1 for name, value in ratio.items()}, 3)


def first_samples(tables: Tables, table: str) -> Evidence:
    """Most separating samples are found before the first learner is generated."""
    runs = _runs(tables, table)
    if not runs:
        return not_run("any generation of two learners")
    share = {name: own["n_samples"].iloc[0] / max(own["n_samples"].iloc[-1], 1) for name, own in runs.items()}
    return _judged("share of the samples", share, {name: value > 0.5 for name, value in share.items()}, 2)


def linear_growth(tables: Tables, table: str, measure: str) -> Evidence:
    """After the first learner, problems or samples grow in proportion to the learners."""
    runs = {name: own.iloc[1:] for name, own in _runs(tables, table).items() if len(own) > POINTS}
    if not runs:
        return not_run(f"any generation of {POINTS} learners")
    explained = {name: _explained(own["generated"], own[measure]) for name, own in runs.items()}
    return _judged("R²", explained, {name: value >= LINEAR for name, value in explained.items()}, 3)


def _explained(x: pd.Series, y: pd.Series) -> float:
    """Share of the variance that a straight line explains; 1 for a constant."""
    return 1.0 if np.ptp(y) == 0 else float(np.corrcoef(x, y)[0, 1] ** 2)
