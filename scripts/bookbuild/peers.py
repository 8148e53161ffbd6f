"""The tables of peers: our methods beside other packages, from ``benchmarks/peers/ratios.csv``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd

from bookbuild.project import Project
from bookbuild.tables import markdown_table

FILE = "benchmarks/peers/ratios.csv"
OURS, GREEDY = "ours", "ours, greedy"
NAMES = {
    "heloc": "HELOC (FICO)",
    "hdma": "mortgage applications",
    "fair": "answers to a magazine",
    "flchain": "blood samples",
    "hi": "health insurance of wives",
    "diamonds": "diamonds",
    "madelon": "Madelon",
    "cnae9": "CNAE-9",
    "epileptic_seizure": "epileptic seizures",
    "isolet": "ISOLET",
    "penguins": "penguins",
    "wine": "wine of scikit-learn",
}
"""What a table is called on the page."""
NOTHING = "–"
Case = Mapping[str, Mapping[Any, Any]]
"""By program, what it did on one case."""


def peers_tables(project: Project) -> dict[str, str]:
    """Return by file name the tables in MyST, and the line that says when and where they were measured."""
    path = project.root / FILE
    if not path.is_file():
        return dict.fromkeys(("rules", "columns", "trees", "when"), "Nothing has been measured yet.\n")
    measured = pd.read_csv(path, dtype={"asked": str})
    return {
        "rules": _table(measured, "rules", _rules),
        "columns": _table(measured, "mRMR", _columns),
        "trees": _table(measured, "Pace", _trees),
        "when": _when(measured),
    }


def _table(measured: pd.DataFrame, task: str, row: Callable[[Case], dict[str, str]]) -> str:
    rows = [
        {"Data": NAMES[str(table)], **row(case)} for table, case in _cases(measured[measured["task"] == task])
    ]
    return markdown_table(rows) if rows else "Nothing has been measured yet.\n"


def _cases(measured: pd.DataFrame) -> Iterator[tuple[str, Case]]:
    for (table, _), rows in measured.groupby(["table", "asked"], sort=False):
        yield str(table), {str(row["program"]): row for row in rows.to_dict("records")}


def _rules(case: Case) -> dict[str, str]:
    (peer,) = (row for program, row in case.items() if program != OURS)
    ours = case.get(OURS)
    return {
        "Complexity": str(peer["setting"]).removeprefix("complexity "),
        "AIX360 (s)": _seconds(peer),
        "Ours (s)": _seconds(ours),
        "Times as fast": _times(peer, ours),
        "Loss of AIX360": f"{peer['value']:,.0f}",
        "Our loss": NOTHING if ours is None else f"{ours['value']:,.0f}",
        "Ours is proved": "yes" if ours and ours["proved"] else "no",
    }


def _columns(case: Case) -> dict[str, str]:
    by_name = {program.rpartition(" ")[0] or program: row for program, row in case.items()}
    by_name[GREEDY] = case[GREEDY]
    shown = {
        "mrmr-selection": "mrmr-selection",
        "scikit-lego": "scikit-lego",
        "feature-engine": "feature-engine",
        "Ours, proved": OURS,
        "Ours, greedy": GREEDY,
    }
    return {
        "Columns": str(case[OURS]["setting"]).removeprefix("k = "),
        **{head: _seconds_and_share(by_name.get(name)) for head, name in shown.items()},
    }


def _trees(case: Case) -> dict[str, str]:
    (peer,) = (row for program, row in case.items() if program != OURS)
    ours = case[OURS]
    return {
        "Trees": str(peer["setting"]).partition(" ")[0],
        "fipepy (s)": _seconds(peer),
        "Ours (s)": _seconds(ours),
        "Times as fast": _times(peer, ours),
        "Kept by fipepy": NOTHING if pd.isna(peer["value"]) else f"{peer['value']:.0f}",
        "Kept by ours": f"{ours['value']:.0f}",
        "Ours is proved": "yes" if ours["proved"] else "no",
    }


def _seconds(row: Mapping[Any, Any] | None) -> str:
    if row is None or pd.isna(row["seconds"]):
        return NOTHING
    two_digits = float(f"{row['seconds']:.2g}")
    return f"{two_digits:g}"


def _seconds_and_share(row: Mapping[Any, Any] | None) -> str:
    return (
        NOTHING
        if row is None or pd.isna(row["seconds"])
        else f"{_seconds(row)} s, {100 * row['value']:.1f} %"
    )


def _times(peer: Mapping[Any, Any], ours: Mapping[Any, Any] | None) -> str:
    if ours is None or pd.isna(peer["seconds"]) or pd.isna(ours["seconds"]):
        return NOTHING
    ratio = peer["seconds"] / ours["seconds"]
    return f"{float(f'{ratio:.2g}'):,.0f}" if ratio >= 10 else f"{ratio:.2g}"  # two digits that count


def _when(measured: pd.DataFrame) -> str:
    packages = sorted({program for program in measured["program"] if not program.startswith(OURS)})
    machines = " and ".join(sorted(set(measured["machine"])))
    days = sorted(set(measured["date"]))
    on = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return f"Measured on {on}, on one core of {machines}, with {', '.join(packages)}.\n"
