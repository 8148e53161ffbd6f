"""Measure what is missing in ``ratios.csv`` and print all of it: ``python -m benchmarks.peers [rules|mRMR|Pace ...]``.

Each case has a process of its own, whose clocks are the processor's. A case is left out where its peer's environment
is not installed or its data are not at hand.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_limits

from benchmarks.peers import columns, rules, trees
from benchmarks.peers.measured import CLOCK
from benchmarks.peers.shown import beside
from compactml.study.running.provenance import cpu_model

ROOT = Path(__file__).resolve().parents[2]
GOAL = Path(__file__).with_name("ratios.csv")
TASKS: dict[str, ModuleType] = {"rules": rules, "mRMR": columns, "Pace": trees}
Row = dict[str, Any]
Case = tuple[str, str, str]


def cases() -> list[Case]:
    """Task, table and what is asked of each case."""
    return [(task, *case) for task, module in TASKS.items() for case in module.CASES]


def runs_here(case: Case) -> bool:
    """Whether the peer and the data of a case are here."""
    module = TASKS[case[0]]
    return bool(module.ENVIRONMENT.installed and module.at_hand(case[1]))


def in_its_own_process(case: Case) -> list[Row]:
    """The rows of a case.

    Raises
    ------
    AssertionError
        Its process failed.
    """
    command = [sys.executable, "-P", str(CLOCK), "benchmarks.peers", "--case", *case]
    ran = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    if ran.returncode:
        raise AssertionError(f"{case}: {ran.stderr}")
    task, name, asked = case
    fixed = {"task": task, "table": name, "asked": asked}
    where = {"machine": cpu_model(), "date": datetime.datetime.now(datetime.UTC).date().isoformat()}
    return [{**fixed, **row, **where} for row in json.loads(ran.stdout.splitlines()[-1])]


def main(tasks: list[str]) -> None:
    """Measure the cases that the file lacks, write it after each, and print what it has."""
    known = pd.read_csv(GOAL, dtype={"asked": str}).to_dict("records") if GOAL.is_file() else []
    rows: dict[Case, list[Row]] = {}
    for row in known:
        rows.setdefault((row["task"], row["table"], row["asked"]), []).append(row)
    for case in cases():
        if case[0] in (tasks or TASKS) and case not in rows and runs_here(case):
            rows[case] = in_its_own_process(case)
            kept = pd.DataFrame([row for one in cases() for row in rows.get(one, [])])
            kept.to_csv(GOAL, index=False, lineterminator="\n", float_format="%.4g")
    if rows:
        print(beside(pd.read_csv(GOAL, dtype={"asked": str})).to_string(index=False))
    lacking = [" ".join(case) for case in cases() if case not in rows]
    print(f"not measured: {', '.join(lacking)}" if lacking else "")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--case"]:
        task, *case = sys.argv[2:]
        with threadpool_limits(1):
            print(json.dumps([asdict(one) for one in TASKS[task].measure(*case)]))
    else:
        main(sys.argv[1:])
