"""Tables of what the paper leaves open of generation, and of sizes in leaves and tests beside learners."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace.rows import ENSEMBLES, in_table_order
from compactml.chapters.pace.trials.readings import TIME

__all__ = ["scan_table", "single_table"]

SIZES = ["final_size", "total_leaves", "path_length"]
NAMES = {"final_size": "learners", "total_leaves": "leaves", "path_length": "tests"}
INITIAL = {"initial_size": "learners", "initial_leaves": "leaves", "initial_path_length": "tests"}


def scan_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return what Pace ends with under each choice: means over the certified runs.

    Parameters
    ----------
    rows : DataFrame
        Of a part of the scan.

    Returns
    -------
    DataFrame
        A row for each kind of ensemble, depth of new trees, duals, order and form of separation: ``runs``,
        ``certified``, ``out of time`` (while trees were generated), ``single trees``, and the mean numbers of
        ``learners``, ``leaves`` and ``tests`` of a prediction.
    """
    by = ["ensemble", "depth_limit", "duals", "order", "separation"]
    sure = rows["certified"] == 1
    counted = rows.assign(
        late=rows["ended"] == TIME,
        single=sure & (rows["final_size"] == 1),
        sure=sure,
        **{name: rows[name].astype(float).where(sure) for name in SIZES},
    )
    groups = counted.groupby(by, sort=False)
    table = pd.DataFrame(
        {
            "runs": groups.size(),
            "certified": groups["sure"].sum(),
            "out of time": groups["late"].sum(),
            "single trees": groups["single"].sum(),
            **{NAMES[name]: groups[name].mean() for name in SIZES},
        }
    ).reset_index()
    named = table.assign(ensemble=table["ensemble"].map(ENSEMBLES))
    return named.rename(columns={"depth_limit": "depth of new trees"})


def single_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return learners, leaves and tests of a prediction by dataset and method: means over certified runs.

    Parameters
    ----------
    rows : DataFrame
        Of the table "single_trees".

    Returns
    -------
    DataFrame
        A row for each initial ensemble; for the initial ensemble and each method ``learners``, ``leaves`` and
        ``tests``.
    """
    by = ["ensemble", "n_learners", "depth", "alpha", "dataset"]
    initial = rows.groupby(by)[list(INITIAL)].mean().rename(columns=INITIAL)
    parts = {"initial": initial.astype(float)}
    for method, runs in rows.groupby("method", sort=False):
        sizes = runs[SIZES].astype(float).where(runs["certified"] == 1)
        parts[str(method)] = (
            sizes.assign(**{name: runs[name] for name in by}).groupby(by).mean().rename(columns=NAMES)
        )
    table = pd.concat(parts, axis="columns").round(1)
    table.columns = [", ".join(reversed(names)) for names in table.columns.to_flat_index()]
    flat = in_table_order(table.reset_index(), by)
    return flat.assign(ensemble=flat["ensemble"].map(ENSEMBLES))
