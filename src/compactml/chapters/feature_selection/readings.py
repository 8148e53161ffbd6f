"""Which reading of a dataset agrees with what the paper prints: the forensic table of the chapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.trials.evidence import agreement
from compactml.datasets.titles import reading
from compactml.study.recording.published import published

__all__ = ["COMPATIBLE", "better", "discretizers", "fitting", "overview", "taken", "with_evidence"]

GAPS = {"mrmr": ("table_2", "table_3"), "cfs": ("table_4",)}
SETS = {"mrmr": ("table_5", "table_6"), "cfs": ("table_7",)}
COMPATIBLE = "compatible"
EVIDENCE = ["optimum", "search", "sizes", "f1_nb", "f1_rf"]
"""What `with_evidence` compares with print."""
COLUMNS = ["dataset", "reading", "measure", "h_ones", "value", "features", *EVIDENCE, "against", COMPATIBLE]
Rows = dict[str, list[dict[Any, Any]]]
WORDS: dict[Any, str] = {True: "yes", False: "no", None: ""}


def with_evidence(readings: pd.DataFrame) -> pd.DataFrame:
    """Every reading with what print says to it.

    Parameters
    ----------
    readings : DataFrame
        Rows of the table "readings".

    Returns
    -------
    DataFrame
        In the same order, ``dataset``, ``reading``, ``measure``, ``h_ones``, ``value``, ``features``, and what
        `trials.evidence.agreement` says, with "yes", "no" and "" (nothing printed).
    """
    printed = {name: _by_dataset(name) for names in (*GAPS.values(), *SETS.values()) for name in names}
    return pd.DataFrame(
        [_row_with_evidence(row, printed) for row in readings.to_dict("records")], columns=COLUMNS
    )


def _by_dataset(table: str) -> Rows:
    """The rows of a printed table by dataset: every reading of it asks for them."""
    groups = published(NAME, table).groupby("dataset", sort=False)
    return {str(name): group.to_dict("records") for name, group in groups}


def _row_with_evidence(row: dict[Any, Any], printed: Mapping[str, Rows]) -> dict[str, Any]:
    name, objective = row["dataset"], row["measure"]
    gaps, sets = (
        [cells for table in tables[objective] for cells in printed[table].get(name, [])]
        for tables in (GAPS, SETS)
    )
    bound = row["bound"]
    # a column of single sizes comes back from a file as numbers
    sizes = row["sizes"] if isinstance(row["sizes"], str) else f"{row['sizes']:.0f}"
    criteria = agreement(row | {"bound": None if pd.isna(bound) else bound, "sizes": sizes}, gaps, sets)
    return {
        "dataset": name,
        "reading": text(row),
        "measure": objective,
        "h_ones": row["h_ones"],
        "value": row["value"],
        "features": row["n_selected"],
        **{criterion: WORDS.get(answer, answer) for criterion, answer in criteria.items()},
    }


def text(row: Mapping[Any, Any]) -> str:
    """Return a reading in words: the data, the discretiser, the formula of SU where it is not the geometric one."""
    parts = [reading(str(row["key"])).words, str(row["discretizer"])]
    if row["su"] != "geometric":
        parts.append(f"SU {row['su']}")
    if row["drop_constant"]:
        parts.append("without constants")
    return ", ".join(parts)


def overview(evidence: pd.DataFrame) -> pd.DataFrame:
    """Return for each dataset and measure the number of readings tried, those compatible, and what is against these.

    Parameters
    ----------
    evidence : DataFrame
        From `with_evidence`.
    """
    rows = []
    for (dataset, objective), group in evidence.groupby(["dataset", "measure"], sort=False):
        compatible = group[group[COMPATIBLE] == "yes"]
        against = (compatible == "no").all() if len(compatible) else pd.Series(dtype=bool)
        rows.append(
            {
                "dataset": dataset,
                "measure": objective,
                "readings": len(group),
                "compatible": "; ".join(compatible["reading"]) or "none",
                "all of them against": ", ".join(map(str, against.index[against])),
            }
        )
    return pd.DataFrame(rows, columns=["dataset", "measure", "readings", "compatible", "all of them against"])


def discretizers(readings: pd.DataFrame, evidence: pd.DataFrame) -> pd.DataFrame:
    """Return for each discretiser the instances with continuous features that it was tried on and is compatible with.

    Parameters
    ----------
    readings, evidence : DataFrame
        What `with_evidence` was given, and its result.
    """
    types = published(NAME, "table_1").set_index("dataset")["data_type"].str.lower()
    continuous = evidence["dataset"].map(types).to_numpy() == "continuous"
    tried = evidence.assign(discretizer=readings["discretizer"].to_numpy())[continuous]
    fits = (tried[COMPATIBLE] == "yes").groupby(
        [tried[name] for name in ("discretizer", "dataset", "measure")]
    )
    counts = fits.any().groupby(level="discretizer").agg(["sum", "size"])
    counts = counts.rename(columns={"sum": "compatible instances", "size": "instances tried"})
    return counts.sort_values("compatible instances", ascending=False).reset_index()


def taken(readings: pd.DataFrame, evidence: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of ``evidence`` whose readings Tables 2 to 7 and our own study take, one for each instance.

    Parameters
    ----------
    readings, evidence : DataFrame
        What `with_evidence` was given, and its result.
    """
    reading_of = {
        dataset.name: (dataset.key, dataset.discretizer, "geometric", False) for dataset in DATASETS
    }
    columns = ["key", "discretizer", "su", "drop_constant"]
    read = readings[columns].itertuples(index=False, name=None)
    chosen = [
        reading_of.get(name) == reading for name, reading in zip(readings["dataset"], read, strict=True)
    ]
    return evidence[np.array(chosen, dtype=bool)]


def fitting(readings: pd.DataFrame, measure: str) -> set[str]:
    """Return the datasets whose reading in Tables 2 to 7 is compatible with print.

    The others need not be the paper's problems.

    Parameters
    ----------
    readings : DataFrame
        Rows of the table "readings"; may be empty.
    measure : {"mrmr", "cfs"}
    """
    if readings.empty:
        return set()
    rows = taken(readings, with_evidence(readings))
    return set(rows.loc[(rows["measure"] == measure) & (rows[COMPATIBLE] == "yes"), "dataset"])


def better(readings: pd.DataFrame, evidence: pd.DataFrame) -> pd.DataFrame:
    """Return the readings that agree with print on more kinds of evidence than the one that is taken.

    Both measures count.

    Parameters
    ----------
    readings, evidence : DataFrame
        What `with_evidence` was given, and its result.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``taken``, ``agrees``, ``other``, ``other agrees`` and ``other compatible``: measures.
    """
    counted = evidence.assign(
        agrees=(evidence[EVIDENCE] == "yes").sum(axis="columns"), fits=evidence[COMPATIBLE] == "yes"
    )
    every = counted.groupby(["dataset", "reading"], sort=False)[["agrees", "fits"]].sum().reset_index()
    chosen = (
        taken(readings, evidence)[["dataset", "reading"]].drop_duplicates().merge(every.drop(columns="fits"))
    )
    pairs = chosen.merge(every, on="dataset", suffixes=("_taken", ""))
    more = pairs[pairs["agrees"] > pairs["agrees_taken"]].reset_index(drop=True)
    names = ["dataset", "taken", "agrees", "other", "other agrees", "other compatible"]
    return more.set_axis(names, axis="columns")
