"""Claims on the forms of the separation problem: Figs 2, 5, 8 and 9."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import LOOPS, N_DATASETS, PROSE, Tables, covered
from compactml.chapters.pace.rows import by_setting, geometric, ratios, setting_text
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because

claim = partial(claim, NAME)

MEANINGFUL = 0.9
"""A form that takes at least this share of the other's time is no meaningful improvement; the paper gives no number."""
ABOVE, BELOW = (f"geometric mean over datasets and runs {side} 1" for side in ("above", "below"))
RIVALS = {
    f"{form}-{table}": {"table": table, "form": form, "words": words, "what": what, "figure": figure}
    for table, what, figure in (("fig_2", "random forests", 2), ("fig_5", "AdaBoost", 5))
    for form, words in (
        ("objective", "the one that disagrees most, with the same solver"),
        ("milp", "the one that disagrees most by a mixed-integer program"),
    )
}
SAMPLED = {
    "fig_8": {"table": "fig_8", "what": "random forests", "figure": 8},
    "fig_9": {"table": "fig_9", "what": "AdaBoost", "figure": 9},
}


@claim("faster-{key}", "Result 1, Fig {figure}", tolerance=ABOVE, why=PROSE, over=RIVALS)
def faster_than_another_form(tables: Tables, table: str, form: str) -> Evidence:
    """Finding any disagreeing point is faster than finding {words} ({what}).

    In every setting that was run.
    """
    compared = ratios(tables[table], "seconds", form)
    slower = int((compared["ratio"] < 1).sum())
    reason = f"the other form is faster in {slower} of {len(compared)} single runs"
    text = f"time of {form} / constraint"
    return over_settings(tables[table], compared, by_setting(compared) > 1, text, reason)


@claim("orders-of-magnitude", "Section 4, Result 1", tolerance="a factor of 100", why=PROSE)
def orders_of_magnitude(tables: Tables) -> Evidence:
    """Finding any disagreeing point makes its search faster by several orders of magnitude.

    Runs at their limit make the factors lower bounds.
    """
    factors = {
        f"{form} in {table}": geometric(compared["ratio"])
        for table in ("fig_2", "fig_5")
        for form in ("objective", "milp")
        for compared in [ratios(tables[table], "seconds", form)]
        if len(compared)
    }
    text = ", ".join(f"{name} {factor:.1f}" for name, factor in factors.items())
    seen = pd.concat([tables[table]["dataset"] for table in ("fig_2", "fig_5")]).nunique()
    reason = f"{seen} of {N_DATASETS} datasets were run, and a run at its limit gives a lower bound"
    return Evidence.missing(reason, found=text)


@claim("more-samples-{key}", "E.3, Fig {figure}", tolerance=BELOW, why=PROSE, over=SAMPLED)
def more_samples(tables: Tables, table: str) -> Evidence:
    """Any disagreeing points are needed in greater number than those that disagree most ({what}).

    In every setting that was run.
    """
    return samples_beside(tables, table, "objective")


@claim(
    "no-gain-{key}",
    "E.3, Fig {figure}",
    tolerance=f"at least {MEANINGFUL:g} of the time",
    why='ours: "meaningful" has no number',
    over=SAMPLED,
)
def no_gain(tables: Tables, table: str) -> Evidence:
    """Asking for the largest disagreement as well brings no meaningful gain in time ({what}).

    In every setting that was run.
    """
    compared = ratios(tables[table], "seconds", "both")
    return over_settings(
        tables[table], compared, by_setting(compared) >= MEANINGFUL, "time of both / constraint"
    )


@claim("fewer-samples-both-{key}", "E.3, Fig {figure}", tolerance=BELOW, why=PROSE, over=SAMPLED)
def fewer_samples_of_both(tables: Tables, table: str) -> Evidence:
    """Asking for the largest disagreement as well needs fewer disagreeing points ({what}).

    In every setting that was run.
    """
    return samples_beside(tables, table, "both")


def samples_beside(tables: Tables, table: str, form: str) -> Evidence:
    """In every setting the constraint form adds more separating samples than another."""
    compared = ratios(tables[table], "n_samples", form)
    compared = compared[compared["bound"] == 0]  # the samples of a run that did not end are not all
    return over_settings(tables[table], compared, by_setting(compared) < 1, f"samples of {form} / constraint")


def over_settings(
    rows: pd.DataFrame, compared: pd.DataFrame, right: pd.Series, text: str, reason: str = ""
) -> Evidence:
    """Evidence of a statement about each setting, a mean over datasets; how many settings the paper has is lost.

    A setting counts as many cells as the paper has datasets, and those that were run are tested.
    """
    n_datasets = compared["dataset"].nunique()
    seen = [compared.loc[setting_names(compared) == name, "dataset"].nunique() for name in right.index]
    settings = rows[["depth", "n_learners"]].drop_duplicates()
    few = f"{N_DATASETS - n_datasets} of {N_DATASETS} datasets not run" if n_datasets < N_DATASETS else ""
    return Evidence.of_cells(
        np.repeat(right.to_numpy(dtype=bool), seen),
        f"{text}: {ratio_text(compared)}" if len(compared) else "",
        because(reason, few, "a mean over datasets for each of our settings"),
        stated=max(len(settings), 1) * N_DATASETS,
        inferred=LOOPS,
        coverage=covered(rows, n_datasets),
        numbers={"times": f"{geometric(compared['ratio']):.1f}"} if len(compared) else {},
    )


def ratio_text(compared: pd.DataFrame) -> str:
    """Ratios by setting and over all, as a text."""
    means = by_setting(compared)
    listed = ", ".join(f"{name} {value:.2g}" for name, value in means.items())
    bounds = f"; {int(compared['bound'].sum())} of them lower bounds" if compared["bound"].any() else ""
    return f"{listed}; all {geometric(compared['ratio']):.2g} ({len(compared)} runs{bounds})"


def setting_names(compared: pd.DataFrame) -> pd.Series:
    """The setting of each run, as `by_setting` names it."""
    pairs = zip(compared["n_learners"], compared["depth"], strict=True)
    return pd.Series(
        [setting_text(int(n), int(depth)) for n, depth in pairs], index=compared.index, dtype=object
    )
