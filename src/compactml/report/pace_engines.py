"""Forms of the separation problem on the same weights: tables of the Pace chapter's third notebook."""

from __future__ import annotations

import pandas as pd

from compactml.report.pace_figures import FORMS
from compactml.report.pace_frames import ENSEMBLES, geometric, setting_text

__all__ = ["engine_conflicts", "engine_ratios", "engines_table", "left_open"]

PLACES = ("first", "middle", "last")
"""Weights of a run to global faithfulness on which the forms are compared."""


def engines_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Seconds of each form on the same weights, and whether it answered for every pair of labels.

    Parameters
    ----------
    rows : DataFrame
        Plain rows of the table "engines".

    Returns
    -------
    DataFrame
        A row per ensemble, setting, dataset and place in the trajectory, a column per form: seconds,
        with ">" if the time ran out.
    """
    records = []
    for row in rows.to_dict("records"):
        for place in PLACES:
            seconds = row[f"seconds_{place}"]
            sign = "" if row[f"answered_{place}"] == 1 else ">"
            what = ENSEMBLES[row["ensemble"]], setting_text(row["n_learners"], row["depth"]), row["dataset"]
            records.append((*what, row["seed"], place, row["method"], f"{sign}{seconds:.3g}"))
    columns = ["ensemble", "setting", "dataset", "run", "weights", "form", "seconds"]
    long = pd.DataFrame(records, columns=columns)
    places = long.set_index(columns[:-1])["seconds"]
    wide = places.unstack("form").reindex(places.droplevel("form").index.unique())  # noqa: PD010, nothing to add up
    ordered = wide.reindex(columns=[name for name in FORMS if name in wide])
    return ordered.rename(columns=FORMS).reset_index()


def engine_ratios(rows: pd.DataFrame, reference: str = "constraint") -> pd.DataFrame:
    """Time of each form over that of the constraint form, geometric means over datasets and weights, by setting.

    A form that ran out of time counts with the time it had, so its mean is a lower bound; weights on which the
    reference did not answer are left out.

    Returns
    -------
    DataFrame
        Columns ``ensemble``, ``setting``, ``cases``, a ratio per form, and ``ran out of time`` (of the other forms'
        answers); the last row is over all.
    """
    keys = ["ensemble", "n_learners", "depth", "dataset", "seed", "place"]
    parts = [
        rows.assign(place=place, seconds=rows[f"seconds_{place}"], answered=rows[f"answered_{place}"])
        for place in PLACES
    ]
    long = pd.concat(parts)[[*keys, "method", "seconds", "answered"]]
    base = long[(long["method"] == reference) & (long["answered"] == 1)].set_index(keys)["seconds"]
    others = long[long["method"] != reference].join(base.rename("base"), on=keys, how="inner")
    others["ratio"] = others["seconds"] / others["base"].clip(lower=1e-4)
    found = [
        _ratios(own, ENSEMBLES[str(ensemble)], setting_text(int(n), int(depth)))
        for ensemble, n, depth in others[keys[:3]].drop_duplicates().itertuples(index=False)
        for own in [others[(others[keys[:3]] == [ensemble, n, depth]).all(axis="columns")]]
    ]
    return pd.DataFrame([*found, _ratios(others, "all", "")])


def left_open(rows: pd.DataFrame, other: str, reference: str = "constraint") -> tuple[int, int]:
    """On how many weights the reference ran out of time, and how many of these another form answered."""
    keys = ["ensemble", "n_learners", "depth", "dataset", "seed"]
    n_open = n_answered = 0
    for place in PLACES:
        answered = rows.set_index([*keys, "method"])[f"answered_{place}"]
        forms = answered.unstack("method").reindex(columns=[reference, other])  # noqa: PD010, nothing to add up
        stopped = forms[reference] != 1
        n_open += int(stopped.sum())
        n_answered += int((forms.loc[stopped, other] == 1).sum())
    return n_open, n_answered


def engine_conflicts(rows: pd.DataFrame) -> int:
    """On how many weights the forms that answered for every pair differ in how many pairs can be separated."""
    keys = ["ensemble", "n_learners", "depth", "dataset", "seed"]
    conflicts = 0
    for place in PLACES:
        groups = rows[rows[f"answered_{place}"] == 1].groupby(keys)[f"separated_{place}"]
        conflicts += int((groups.min() != groups.max()).sum())
    return conflicts


def _ratios(own: pd.DataFrame, ensemble: str, setting: str) -> dict[str, object]:
    forms = [name for name in FORMS if name in set(own["method"])]
    return {
        "ensemble": ensemble,
        "setting": setting,
        "cases": len(own[["dataset", "seed", "place", "n_learners", "depth", "ensemble"]].drop_duplicates()),
        **{FORMS[name]: geometric(own.loc[own["method"] == name, "ratio"]) for name in forms},
        "ran out of time": int((own["answered"] != 1).sum()),
    }
