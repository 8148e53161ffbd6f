"""Results of the Pace chapter from recorded rows alone, in a repository of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.printed import printed_sizes
from compactml.study.recording.recorded import write_recorded
from compactml.study.recording.results import Results
from tests.study.toy_report import finished

Numbers = Mapping[str, int | float | str]


def results(**recorded: pd.DataFrame) -> Results:
    """Results with these recorded rows, and nothing run."""
    for id, rows in recorded.items():
        write_recorded(NAME, id, rows, [finished("seeds")])
    return Results(CHAPTER, lambda id: [])


def picked(numbers: Numbers, prefix: str) -> dict[str, int | float | str]:
    """The numbers whose names begin so, without that beginning."""
    return {name.removeprefix(prefix): value for name, value in numbers.items() if name.startswith(prefix)}


def table(*rows: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(rows)


def printed(id: str, method: str, dataset: str, n: int) -> float:
    return float(printed_sizes(id)[method].loc[(dataset, n)])
