"""What planning a large table costs, as shares of an aim, and how often the code of a chapter is read for it."""

from __future__ import annotations

import ast
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pandas as pd

from compactml import chapters
from compactml.study import Chapter, Store, Trial
from compactml.study.running import engine
from compactml.study.storing.rows import result_entry

N_TRIALS = 25_000
AIM = 10.0  # seconds for a table of so many trials with everything stored
CHAPTER = "ensemble-pruning"
RESULT = {f"measure {i}": i / 7 for i in range(15)}
PROVENANCE = {f"field {i}": "as long as such an entry is" for i in range(40)}
Row = dict[str, str | float]


def large_table(n_trials: int) -> tuple[Chapter, list[Trial]]:
    """A chapter's first kind of trial with many seeds, on data that need no file."""
    chapter = chapters.chapter(CHAPTER)
    kind = replace(chapter.kinds[0], generated=lambda trial: (tuple, ()), cost=lambda trial: 1.0)
    trials = [
        Trial(
            CHAPTER,
            kind.name,
            "synthetic:none",
            "method",
            seed=seed,
            parameters=(("size", 20), ("share", 0.2)),
        )
        for seed in range(n_trials)
    ]
    return replace(chapter, kinds=(kind,)), trials


@contextmanager
def parses() -> Iterator[list[str]]:
    """Yield the list of sources that are parsed meanwhile."""
    read: list[str] = []
    real = ast.parse

    def counted(source: str) -> ast.Module:
        read.append(source)
        return real(source)

    ast.parse = counted  # type: ignore[assignment]
    try:
        yield read
    finally:
        ast.parse = real


def rows(n_trials: int, folder: Path) -> Iterator[Row]:
    """Plan with an empty store, then with everything stored."""
    chapter, trials = large_table(n_trials)
    on = f"{n_trials} trials of {CHAPTER}"
    with Store(folder / "results.sqlite") as store:
        with parses() as read:
            first = engine.plan(chapter, trials, store)
        parsed = len(read) / len(set(read)) if read else 0.0
        yield {"measured": "times that a module is parsed at first", "on": on, "value": parsed, "aim": "<= 1"}
        store.write([result_entry(key, trial, RESULT, PROVENANCE) for trial, key in first.keys.items()])
        start = time.perf_counter()
        with parses() as read:
            planned = engine.plan(chapter, trials, store)
        share = (time.perf_counter() - start) / AIM
        if len(planned.stored) != n_trials:
            raise AssertionError(f"{len(planned.stored)} of {n_trials} trials found")
        yield {"measured": f"time, everything stored / {AIM:.0f} s", "on": on, "value": share, "aim": "<= 1"}
        yield {"measured": "modules parsed again", "on": on, "value": float(len(read)), "aim": "0"}


def table() -> pd.DataFrame:
    """One row per measurement, with its aim."""
    with tempfile.TemporaryDirectory() as folder:
        return pd.DataFrame(rows(N_TRIALS, Path(folder)))


def note() -> str:
    """Return what a stored trial weighs in it."""
    return f"{len(RESULT)} numbers and {len(PROVENANCE)} fields of provenance a trial\n"
