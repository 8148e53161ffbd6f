"""Forms of the separation problem on the same weights: tables of the Pace chapter's third notebook."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace.figures import FORMS
from compactml.chapters.pace.rows import ENSEMBLES, geometric, setting_text

__all__ = ["engine_conflicts", "engine_ratios", "engines_table", "left_open", "not_faster", "place_ratios"]

PLACES = ("first", "middle", "last")
"""Weights of a run to global faithfulness on which the forms are compared; at the last no point separates."""
CASE = ["ensemble", "n_learners", "depth", "dataset", "seed", "place"]


def engines_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Seconds of each form on the same weights, and whether it answered for every pair of labels.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "engines".

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
    """Return the time of each form over the constraint form's, by setting: geometric means over datasets and weights.

    A form that ran out of time counts with the time it had, so its mean is a lower bound; weights on which the
    reference did not answer are left out.

    Returns
    -------
    DataFrame
        Columns ``ensemble``, ``setting``, ``cases``, a ratio per form, and ``ran out of time`` (of the other forms'
        answers); the last row is over all.
    """
    others = _beside(rows, reference)
    keys = CASE[:3]
    parts = [
        {
            "ensemble": ENSEMBLES[str(ensemble)],
            "setting": setting_text(int(n), int(depth)),
            **_ratios(others[(others[keys] == [ensemble, n, depth]).all(axis="columns")]),
        }
        for ensemble, n, depth in others[keys].drop_duplicates().itertuples(index=False)
    ]
    return pd.DataFrame([*parts, {"ensemble": "all", "setting": "", **_ratios(others)}])


def place_ratios(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the same by the place of the weights in the run: a point separates, or none does (the last).

    Returns
    -------
    DataFrame
        Columns ``weights`` ("first", "middle", "last"), ``ensemble``, and those of `engine_ratios` after the setting.
    """
    others = _beside(rows, "constraint")
    parts = [
        {
            "weights": place,
            "ensemble": name,
            **_ratios(others[(others["place"] == place) & (others["ensemble"] == kind)]),
        }
        for place in PLACES
        for kind, name in ENSEMBLES.items()
    ]
    return pd.DataFrame(parts)


def not_faster(rows: pd.DataFrame, form: str) -> int:
    """On how many of the weights that the constraint form answered another form takes longer than it."""
    others = _beside(rows, "constraint")
    return int((others.loc[others["method"] == form, "ratio"] > 1).sum())


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


def _beside(rows: pd.DataFrame, reference: str) -> pd.DataFrame:
    """Answers of the other forms with the ratio of their time to that of the reference, where it answered."""
    parts = [
        rows.assign(place=place, seconds=rows[f"seconds_{place}"], answered=rows[f"answered_{place}"])
        for place in PLACES
    ]
    long = pd.concat(parts)[[*CASE, "method", "seconds", "answered"]]
    base = long[(long["method"] == reference) & (long["answered"] == 1)].set_index(CASE)["seconds"]
    others = long[long["method"] != reference].join(base.rename("base"), on=CASE, how="inner")
    return others.assign(ratio=others["seconds"] / others["base"].clip(lower=1e-4))


def _ratios(answers: pd.DataFrame) -> dict[str, object]:
    forms = [name for name in FORMS if name in set(answers["method"])]
    return {
        "cases": len(answers[CASE].drop_duplicates()),
        **{FORMS[name]: geometric(answers.loc[answers["method"] == name, "ratio"]) for name in forms},
        "ran out of time": int((answers["answered"] != 1).sum()),
    }
