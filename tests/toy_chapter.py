"""A chapter that exists only in tests: its experiment and its report in one module."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from compactml import chapters
from compactml.study import Experiment, Finished, Profile, Result, Trial
from compactml.study.judging.claims import Claim
from compactml.study.judging.evidence import Coverage, Evidence, Share


def run(trial: Trial) -> Result:
    if trial.seed == 3:
        raise ValueError("was asked to fail")
    if trial.seed == 2 and "TOY_FLAG" in os.environ:
        Path(os.environ["TOY_FLAG"]).touch()
        time.sleep(60)
    if trial.seed == 1 and "TOY_KILL" in os.environ:
        assert os.getpid() != int(os.environ["TOY_KILL"]), "this would end the tests"
        os.kill(os.getpid(), signal.SIGKILL)
    return {"seed": trial.seed}


def trials(table: str, profile: Profile) -> list[Trial]:
    """Two trials for the table, a third for the figure, and one that fails in the whole protocol."""
    n = 4 if profile is Profile.PAPER else 2 if table == "table_1" else 3
    return [Trial("toy", "kind", "synthetic:none", seed=seed) for seed in range(n)]


def record(table: str, finished: Sequence[Finished]) -> None:
    print(f"recorded {table}: {len(finished)}")


def claim_data() -> dict[str, pd.DataFrame]:
    return {"table_1": pd.DataFrame({"value": [1]})}


def one_is_one(data: dict[str, pd.DataFrame]) -> Evidence:
    value = data["table_1"]["value"][0]
    return Evidence.of_statement(value == 1, f"found {value}", coverage=Coverage(Share(1, 1, "dataset")))


CLAIMS = (Claim("toy/one", "toy", "Table 1", "One is one", "exact", "logic", one_is_one),)

EXPERIMENT = Experiment(
    chapter="toy",
    title="Toy",
    tables=("table_1", "fig_1"),
    trials=trials,
    kinds={"kind": run},
    cost=lambda trial: 60.0,
    generated=lambda trial: (tuple, ()),
)


def register(setitem: Callable[[Any, str, str], None] = dict.__setitem__) -> None:
    """Make the chapter known to the command line."""
    for modules in (chapters.PLANS, chapters.TABLES):
        setitem(modules, "toy", "tests.toy_chapter")
