"""BooleanRuleCG of AIX360, the authors' open toolkit, beside ours: same literals, equal complexity, one run.

BooleanRuleCG takes no bound on the complexity C; it minimises loss / n + lambda * complexity. So a pair is: fit it for
one lambda, read the complexity of its clauses, learn ours within that complexity. Both get the same 0/1 literals; both
losses are the paper's Hamming loss (1), computed here from the clauses. AIX360's fit runs in an environment of its own,
ours directly after it, each on one thread, and only the fits are timed.

Two things are not symmetric. BooleanRuleCG ends its column generation after 100 s (its default), which the larger sets
reach; ours goes on after its best rule set, until that is proved optimal or 60 s have passed. ``ratio`` divides the two
times as they are; ``our_loss_in_tenth`` is what ours has found when told to stop after a tenth of AIX360's time, and
``our_seconds_in_tenth`` when it did.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.boolean_rules import DecileBinarizer, Instance
from compactml.boolean_rules.learning import Learned, compile_kernels, learn
from compactml.chapters.boolean_rules.datasets import problem
from compactml.chapters.boolean_rules.trials import aix360_program
from compactml.study.chapter import Kind
from compactml.study.keys.environments import Environment
from compactml.study.trial import Trial

ENVIRONMENT = Environment("aix360")
LARGE = ("heloc_special_values_missing", "adult_training_file", "magic")  # minutes for one fit of AIX360
TIME_LIMIT = 60.0
"""Seconds of ours."""
Clauses = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Pair:
    """AIX360's rule set and ours of no larger complexity.

    Below complexity 2 AIX360 has no clause, or the empty one that the paper bars, and ours is left out.
    """

    complexity: int
    aix360_loss: int
    aix360_seconds: float
    aix360_rounds: int
    aix360_clauses: str
    solver: str
    our_loss: int | None = None
    our_bound: int | None = None
    our_seconds: float | None = None
    our_clauses: str | None = None
    our_loss_in_tenth: int | None = None
    our_seconds_in_tenth: float | None = None
    ratio: float | None = None


class Problem(NamedTuple):
    """The literals of a dataset that differ on its rows, for ours (instance) and for AIX360 (matrix), in one order."""

    instance: Instance
    matrix: NDArray[np.uint8]
    y: NDArray[np.bool_]


def binary_problem(dataset: str) -> Problem:
    """Deciles and categories of all rows of a dataset."""
    return problem_of(*problem(dataset))


def problem_of(X: pd.DataFrame, y: NDArray[np.bool_]) -> Problem:
    """The same of a table."""
    binarizer = DecileBinarizer(missing="above").fit(X)
    instance = Instance.from_codes(binarizer.codes(X), y, binarizer.literals_)
    return Problem(instance, binarizer.transform(X)[:, instance.kept], y)


def label(name: str) -> tuple[str, ...]:
    """Column, sign and value of a literal's text; a missing value is AIX360's value "NaN"."""
    name = name.replace(" is missing", " == NaN").replace(" is not missing", " != NaN")
    found = re.fullmatch("(.+?) (<=|>|==|!=) (.*)", name)
    assert found is not None, name
    return found.groups()


def hamming_loss(matrix: NDArray[np.uint8], y: NDArray[np.bool_], clauses: Clauses) -> int:
    """Objective (1) from the rows themselves: positives without a clause plus, for each negative, its clauses."""
    counts = sum(
        (matrix[:, list(clause)].all(axis=1).astype(int) for clause in clauses), np.zeros(len(y), int)
    )
    return int((counts[y] == 0).sum() + counts[~y].sum())


def peer_fit(given: Problem, price: float, *launcher: str) -> dict[str, Any]:
    """Clauses, seconds and versions of BooleanRuleCG with lambda0 = lambda1 = ``price``; a launcher runs the program.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    columns, signs, values = np.array([label(name) for name in given.instance.literals.names]).T
    with TemporaryDirectory() as folder:
        file = Path(folder) / "problem.npz"
        np.savez(file, matrix=given.matrix, y=given.y, columns=columns, signs=signs, values=values)
        answer: dict[str, Any] = json.loads(
            ENVIRONMENT.run(*launcher, str(aix360_program.__file__), str(file), str(price))
        )
    return answer


def our_fit(instance: Instance, complexity: int, time_limit: float) -> tuple[Learned, float]:
    """Our rule set, its seconds; integer programs by HiGHS, so that no licence decides the result."""
    started = time.perf_counter()
    learned = learn(instance, complexity, time_limit=time_limit, solver="highs")
    return learned, time.perf_counter() - started


def run_pair(trial: Trial) -> Pair:
    """One pair: AIX360, then ours."""
    compile_kernels()
    given = binary_problem(trial.dataset)
    theirs = peer_fit(given, float(str(dict(trial.parameters)["lambda"])))
    clauses, names = theirs["clauses"], given.instance.literals.names
    complexity = sum(1 + len(clause) for clause in clauses)
    fixed: dict[str, Any] = {
        "complexity": complexity,
        "aix360_loss": hamming_loss(given.matrix, given.y, clauses),
        "aix360_seconds": theirs["seconds"],
        "aix360_rounds": theirs["rounds"],
        "aix360_clauses": json.dumps([[names[j] for j in clause] for clause in clauses]),
        "solver": theirs["solver"],
    }
    if complexity < 2:
        return Pair(**fixed)
    learned, seconds = our_fit(given.instance, complexity, TIME_LIMIT)
    short, short_seconds = our_fit(given.instance, complexity, theirs["seconds"] / 10)
    loss = hamming_loss(given.matrix, given.y, learned.clauses)
    if loss != learned.loss or sum(1 + len(clause) for clause in learned.clauses) > complexity:
        raise AssertionError(f"a rule set of loss {loss} was reported with {learned.loss}, or is too complex")
    return Pair(
        **fixed,
        our_loss=loss,
        our_bound=learned.lower_bound,
        our_seconds=seconds,
        our_clauses=json.dumps([[names[j] for j in clause] for clause in learned.clauses]),
        our_loss_in_tenth=short.loss,
        our_seconds_in_tenth=short_seconds,
        ratio=theirs["seconds"] / seconds,
    )


def cost(trial: Trial) -> float:
    """Rough seconds of one pair on one core."""
    return 300.0 if trial.dataset in LARGE else 30.0


AIX360 = Kind("aix360", run_pair, Pair, cost, environment=ENVIRONMENT)
