"""The ratios of ``ratios.csv``: each peer's time by ours, beside what their answers are worth."""

from __future__ import annotations

from typing import Any

import pandas as pd

from benchmarks.peers.measured import OURS

__all__ = ["ENOUGH", "beside"]

ENOUGH = {"rules": (1.0, 0.0), "mRMR": (0.5, 0.5), "Pace": (50.0, 0.0)}
"""By task: the least ratio of the peer's time by ours, and the seconds of ours below which no ratio is asked for."""
LESS_IS_BETTER = ("rules", "Pace")
AIMED_AT = ("AIX360", "mrmr-selection", "fipepy")


def beside(measured: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each peer and case.

    Parameters
    ----------
    measured : DataFrame
        As in ``ratios.csv``.

    Returns
    -------
    DataFrame
        ``ratio`` is the peer's seconds by ours, ``peer_value`` and ``our_value`` what the answers are worth, ``aim``
        "reached", "missed", or empty where none was set.
    """
    rows = []
    for (task, table, _), case in measured.groupby(["task", "table", "asked"], sort=False):
        own = {str(row["program"]): row for row in case.to_dict("records") if row["program"].startswith(OURS)}
        for peer in case.to_dict("records"):
            if peer["program"] not in own:
                rows.append(_row(str(task), str(table), peer, own))
    return pd.DataFrame(rows)


def _row(task: str, table: str, peer: dict[Any, Any], own: dict[str, dict[Any, Any]]) -> dict[str, Any]:
    ours = own.get(OURS, {})
    ratio = peer["seconds"] / ours["seconds"] if ours else float("nan")
    return {
        "task": task,
        "table": table,
        "setting": peer["setting"],
        "peer": peer["program"],
        "peer_seconds": peer["seconds"],
        "our_seconds": ours.get("seconds", float("nan")),
        "ratio": ratio,
        "peer_value": peer["value"],
        "our_value": ours.get("value", float("nan")),
        "proved": bool(ours.get("proved", False)),
        "aim": _aim(task, peer, ours, ratio),
    }


def _aim(task: str, peer: dict[Any, Any], ours: dict[Any, Any], ratio: float) -> str:
    if not str(peer["program"]).startswith(AIMED_AT) or pd.isna(peer["seconds"]) or not ours:
        return ""
    least, always = ENOUGH[task]
    fast = ratio >= least or ours["seconds"] <= always
    worse = task in LESS_IS_BETTER and ours["value"] > peer["value"]
    return "reached" if fast and not worse else "missed"
