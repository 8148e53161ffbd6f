"""Our pruning beside fipepy, the published code of Fipe, as `compactml.chapters.pace.trials.fipepy` runs it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.rows import ENSEMBLES, in_order
from compactml.study.recording.recorded import recorded

__all__ = ["CERTIFIED", "REFUSED", "peers_cases", "peers_numbers", "peers_table"]

CERTIFIED, REFUSED = "certified", "licence too small"
CASE = ["dataset", "ensemble", "depth", "n_learners", "norm"]
HEADS = {
    "samples": "samples",
    "fipepy": "fipepy",
    "fipepy_size": "size, fipepy",
    "our_size": "size, ours",
    "our_bound": "bound",
    "fipepy_seconds": "seconds, fipepy",
    "our_seconds": "seconds, ours",
    "our_objective_seconds": "seconds, ours with the objective",
    "ratio": "times as fast",
}
COUNTS = ("fipepy_disagreements", "our_certified", "our_disagreements", "our_objective_size")


def peers_cases() -> pd.DataFrame:
    """The recorded cases, one row each; none if there is no record."""
    rows = recorded(NAME, "fipepy")
    return pd.DataFrame(columns=[*CASE, *HEADS, *COUNTS]) if rows is None else rows


def peers_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What is shown of the cases, in the order of Table 2; what fipepy did not certify has no size of its own."""
    shown = rows[[*CASE, *HEADS]].rename(columns=HEADS).rename(columns={"n_learners": "N"})
    shown["ensemble"] = shown["ensemble"].map(ENSEMBLES)
    place = {name: i for i, name in enumerate(in_order(list(shown["dataset"])))}
    order = shown["dataset"].map(place).astype(float)
    return (
        shown.assign(order=order)
        .sort_values(["norm", "ensemble", "depth", "order", "N"], kind="stable")
        .drop(columns="order")
        .reset_index(drop=True)
    )


def peers_numbers(rows: pd.DataFrame, norm: str) -> dict[str, float]:
    """Return counts and ratios of one norm for the prose.

    Returns
    -------
    dict
        ``cases``; ``certified`` by fipepy; ``ours`` certified; of those certified by both: ``both``, how many of our
        sizes are ``smaller``, ``equal`` and ``larger``, ``median``, ``geometric`` and ``least`` of the ratios of
        times; ``wrong`` and ``ours_wrong``, at how many points certified answers of fipepy and ours disagree with the
        ensemble.
    """
    cases = rows[rows["norm"] == norm]
    both = cases[(cases["fipepy"] == CERTIFIED) & (cases["our_certified"] == 1)]
    difference = (both["our_size"] - both["fipepy_size"]).astype(float)
    ratios = both["ratio"].astype(float)
    theirs = cases.loc[cases["fipepy"] == CERTIFIED, "fipepy_disagreements"].astype(float).sum()
    ours = cases.loc[cases["our_certified"] == 1, "our_disagreements"].astype(float).sum()
    return {
        "cases": len(cases),
        "certified": int((cases["fipepy"] == CERTIFIED).sum()),
        "ours": int((cases["our_certified"] == 1).sum()),
        "both": len(both),
        "smaller": int((difference < 0).sum()),
        "equal": int((difference == 0).sum()),
        "larger": int((difference > 0).sum()),
        "median": float(ratios.median()),
        "geometric": float(np.exp(np.log(ratios).mean())) if len(ratios) else float("nan"),
        "least": float(ratios.min()),
        "wrong": int(theirs),
        "ours_wrong": int(ours),
    }
