"""An experiment of trials that sleep, count themselves in a folder, or fail; also a program to be killed."""

from __future__ import annotations

import ctypes
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from compactml.solvers import MixedIntegerProgram, SolveOptions, Stated, opinion_on, solve
from compactml.study import (
    Chapter,
    Finished,
    Kind,
    Profile,
    Result,
    Store,
    Table,
    Trial,
)
from compactml.study.keys.fingerprint import key_parts, recipe_identity
from compactml.study.running import engine
from compactml.study.running.opinions import Heard
from compactml.study.running.worker import Order
from compactml.study.trial import Recipe


@dataclass(frozen=True)
class Toy:
    square: int
    process: int
    bound: float = 0.5
    nothing: float = math.nan
    value: float | None = None


KEPT: list[bytes] = []
"""What a trial leaves in its process."""


def run(trial: Trial) -> Toy:
    """Leave a file for every call, then sleep, fail, kill the process or run a program, or return the square."""
    parameters = dict(trial.parameters)
    (Path(str(parameters["folder"])) / f"{trial.seed}-{time.monotonic_ns()}").write_text(
        f"{trial.kind} {os.getpid()}"
    )
    if trial.kind == "failing":
        raise ValueError(f"seed {trial.seed} was asked to fail")
    if trial.kind == "leaving":
        subprocess.Popen(["sleep", str(parameters["seconds"])])
    if trial.kind in ("killing", "leaving"):
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGKILL)
    if trial.kind == "starting":
        subprocess.run(["sleep", str(parameters["seconds"])])
    if trial.kind == "proving":
        prove(float(parameters["seconds"]))
    if trial.kind == "holding":  # the interpreter, so that no other thread of the process runs
        grown = b"x" * (600 << 20)
        ctypes.PyDLL(None).sleep(int(parameters["seconds"]))
        del grown
    if trial.kind == "growing":
        KEPT.append(b"x" * (400 << 20))
    if trial.kind == "having":
        grow = "import time; grown = b'x' * (600 << 20); time.sleep(600)"
        subprocess.run([sys.executable, "-c", grow])
    if trial.kind == "crashing":
        ctypes.string_at(0)
    time.sleep(float(parameters["seconds"] or 0))
    return Toy(trial.seed**2, os.getpid())


def prove(seconds: float) -> None:
    """Have SCIP work on a program for so long: a multidimensional knapsack of 200 columns and 40 rows."""
    rng = np.random.default_rng(0)
    weights = rng.integers(5, 60, size=(40, 200))
    program = MixedIntegerProgram(
        rng.integers(10, 100, size=200), weights, row_upper=weights.sum(axis=1) // 3, upper=1,
        integrality=True, sense="max",
    )  # fmt: skip
    solve(program, "scip", SolveOptions(time_limit=seconds))


def solve_one(trial: Trial) -> Toy:
    """Solve a program of one row, so that the kind depends on solvers."""
    found = solve(MixedIntegerProgram([1.0], [[1.0]], row_lower=float(trial.seed)), "highs")
    return replace(run(trial), value=found.objective)


def opinion(trial: Trial, result: Result, solver: str | None) -> Trial | None:
    """Ask about the value of a program, which is the seed and is stated as the seed or as what a parameter says."""
    if trial.kind != "solving":
        return None
    said = dict(trial.parameters).get("says", result["value"])
    return replace(trial, kind="opinion", parameters=(("stated", said), ("not_by", solver)))


def run_opinion(trial: Trial) -> Heard:
    """Solve the program of `solve_one` again by another solver; a seed of 9 fails."""
    if trial.seed == 9:
        raise ValueError("was asked to fail")
    parameters = dict(trial.parameters)
    stated = float(str(parameters["stated"]))
    program = MixedIntegerProgram([1.0], [[1.0]], row_lower=float(trial.seed))
    return Heard.of(opinion_on(program, Stated(stated, stated), not_by=str(parameters["not_by"])))


def values() -> tuple[str, ...]:
    """Data that a variable of the process may change."""
    return (os.environ.get("TOY_DATA", ""),)


NO_DATA = (values, ())


def trials(folder: Path, n: int, seconds: float = 0.0, kind: str = "sleeping") -> list[Trial]:
    parameters = (("seconds", seconds), ("folder", str(folder)))
    return [Trial("toy", kind, "synthetic:none", seed=seed, parameters=parameters) for seed in range(n)]


def order(trial: Trial) -> Order:
    """What a worker process is sent."""
    return Order(run, trial, NO_DATA, key_parts(run, recipe_identity(NO_DATA)))


def cost(trial: Trial) -> float:
    return float(trial.seed)


def table_trials(profile: Profile) -> list[Trial]:
    return trials(Path(os.environ["TOY_FOLDER"]), 3 if profile == Profile.QUICK else 5)


def generated(trial: Trial) -> Recipe:
    return NO_DATA


def kind(name: str, function: Callable[[Trial], Toy | Heard] = run, result: type = Toy) -> Kind:
    return Kind(name, function, result, cost, generated)


KINDS = (
    "sleeping", "failing", "killing", "leaving", "crashing", "starting", "proving", "holding", "having", "growing",
)  # fmt: skip
CHAPTER = Chapter(
    name="toy",
    place=9,
    title="Toy",
    citation="toy",
    kinds=(
        *map(kind, KINDS),
        kind("solving", solve_one),
        kind("opinion", run_opinion, Heard),
    ),
    tables=(Table("table_1", table_trials),),
    opinion=opinion,
)


def calls(folder: Path) -> list[int]:
    """Seeds of the trials that were started, in that order."""
    started = sorted(folder.iterdir(), key=lambda path: int(path.name.split("-")[1]))
    return [int(path.name.split("-")[0]) for path in started]


def squares(finished: Sequence[Finished]) -> list[object]:
    return [item.result["square"] for item in finished]


def main(store: str, folder: str, n: str, seconds: str, jobs: str) -> None:
    with Store(store) as opened:
        engine.run(CHAPTER, trials(Path(folder), int(n), float(seconds)), store=opened, jobs=int(jobs))


if __name__ == "__main__":
    from tests.study import toy_trials  # under its own name, as workers import it

    toy_trials.main(*sys.argv[1:])
