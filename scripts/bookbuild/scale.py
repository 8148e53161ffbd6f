"""The table of scale: what each method took as tables and forests grew, from ``benchmarks/scale.csv``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from bookbuild.project import Project
from bookbuild.tables import markdown_table

METHODS = {
    "rules": ("Rules of complexity 6", "rows x columns"),
    "CFS": ("Ten columns by CFS", "rows x columns"),
    "mRMR": ("Ten columns by mRMR", "rows x columns"),
    "sharing": ("Sharing in a random forest", "rows x trees"),
    "voters": ("Choosing among voters", "rows x voters"),
    "Pace": ("Leaving trees out, certified", "trees x depth"),
}
"""What a method is called in the table, and what its two sizes are."""
FILE = "benchmarks/scale.csv"
NOTHING = "–"


def scale_table(project: Project) -> str:
    """Return the table in MyST; a case that did not end has no numbers."""
    path = project.root / FILE
    if not path.is_file():
        return "Nothing has been measured yet.\n"
    return markdown_table([_row(case) for case in pd.read_csv(path).to_dict("records")])


def _row(case: Mapping[Any, Any]) -> dict[str, str]:
    called, sizes = METHODS[str(case["method"])]
    ended = pd.notna(case["seconds"])
    first, _, second = sizes.partition(" x ")
    return {
        "What": called,
        "Size": f"{case['first']:,} {first} × {case['second']:,} {second}",
        "Processor time (s)": f"{case['seconds']:.2g}" if ended else f"more than {case['limit']:.0f}",
        "Memory (MB)": f"{case['memory_mb']:,.0f}" if ended else NOTHING,
        "Proved": "yes" if case["proved"] else "no",
        "Answer": str(case["answer"]),
    }
