"""BooleanRuleCG of AIX360, the authors' open toolkit, beside ours: same literals, equal complexity, one run.

BooleanRuleCG takes no bound on the complexity C; it minimises loss / n + lambda * complexity. So a pair is: fit it for
one lambda, read the complexity of its clauses, learn ours within that complexity. Both get the same 0/1 literals; both
losses are the paper's Hamming loss (1), computed here from the clauses. AIX360's fit runs in an environment of its own
(``make bench-peers PEER=aix360``), ours directly after it, each on one thread, and only the fits are timed.

Two things are not symmetric. BooleanRuleCG ends its column generation after 100 s (its default), which the larger sets
reach; ours goes on after its best rule set, until that is proved optimal or 60 s have passed. ``ratio`` divides the two
times as they are; ``our_loss_in_tenth`` is what ours has found when told to stop after a tenth of AIX360's time, and
``our_seconds_in_tenth`` when it did.

Writes ``data/recorded/boolean_rules/aix360.csv``. Pairs in the store are not run again and are always written along.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.boolean_rules import DecileBinarizer, Instance
from compactml.boolean_rules.learning import Learned, compile_kernels, learn
from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.datasets import GENERATED, problem
from compactml.study import Experiment, Finished, Result, Store, Trial
from compactml.study.recording.published import home
from compactml.study.recording.recorded import write_recorded
from compactml.study.running import engine

PEER = Path(".venv-peers") / "aix360" / "bin" / "python"
TIME_LIMIT = 60.0
SMALL = (
    GENERATED,
    "blood_transfusion",
    "heart_cleveland_complete_rows",
    "liver_drinks",
    "pima",
    "banknote",
    "ionosphere",
    "wdbc",
    "mushroom",
)
LARGE = ("heloc_special_values_missing", "adult_training_file", "magic")  # minutes for one fit of AIX360
DATASETS = SMALL + LARGE
LAMBDAS = (0.001, 0.002, 0.005, 0.01, 0.02)
COLUMNS = (
    "complexity",
    "aix360_loss",
    "aix360_seconds",
    "our_loss",
    "our_bound",
    "our_seconds",
    "ratio",
    "our_loss_in_tenth",
    "our_seconds_in_tenth",
)
Clauses = Sequence[Sequence[int]]


class Problem(NamedTuple):
    """The literals of a dataset that differ on its rows, for ours (instance) and for AIX360 (matrix), in one order."""

    instance: Instance
    matrix: NDArray[np.uint8]
    y: NDArray[np.bool_]


def binary_problem(dataset: str) -> Problem:
    """Deciles and categories of all rows of a dataset."""
    X, y = problem(dataset)
    binarizer = DecileBinarizer().fit(X)
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


def peer_fit(given: Problem, price: float) -> dict[str, Any]:
    """Clauses, seconds and versions of BooleanRuleCG with lambda0 = lambda1 = ``price``."""
    columns, signs, values = np.array([label(name) for name in given.instance.literals.names]).T
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "problem.npz"
        np.savez(file, matrix=given.matrix, y=given.y, columns=columns, signs=signs, values=values)
        command = [str(home() / PEER), "-m", "benchmarks.aix360_peer", str(file), str(price)]
        done = subprocess.run(
            command,
            cwd=home(),
            env={**os.environ, **one_thread},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def our_fit(instance: Instance, complexity: int, time_limit: float) -> tuple[Learned, float]:
    """Our rule set, its seconds; integer programs by HiGHS, so that no licence decides the result."""
    started = time.perf_counter()
    learned = learn(instance, complexity, time_limit=time_limit, solver="highs")
    return learned, time.perf_counter() - started


def run(trial: Trial) -> Result:
    """One pair. Below complexity 2 AIX360 has no clause, or the empty one that the paper bars, and ours is left out."""
    compile_kernels()
    parameters: dict[str, Any] = dict(trial.parameters)
    given = binary_problem(trial.dataset)
    theirs = peer_fit(given, parameters["lambda"])
    clauses = theirs["clauses"]
    complexity = sum(1 + len(clause) for clause in clauses)
    result: Result = {
        "complexity": complexity,
        "aix360_loss": hamming_loss(given.matrix, given.y, clauses),
        "aix360_seconds": theirs["seconds"],
        "aix360_rounds": theirs["rounds"],
        "aix360_clauses": json.dumps([[given.instance.literals.names[j] for j in one] for one in clauses]),
        "solver": theirs["solver"],
    }
    if complexity < 2:
        return result
    learned, seconds = our_fit(given.instance, complexity, TIME_LIMIT)
    short, short_seconds = our_fit(given.instance, complexity, theirs["seconds"] / 10)
    loss = hamming_loss(given.matrix, given.y, learned.clauses)
    if loss != learned.loss or sum(1 + len(clause) for clause in learned.clauses) > complexity:
        raise AssertionError(f"a rule set of loss {loss} was reported with {learned.loss}, or is too complex")
    return {
        **result,
        "our_loss": loss,
        "our_bound": learned.lower_bound,
        "our_seconds": seconds,
        "our_clauses": json.dumps(
            [[given.instance.literals.names[j] for j in one] for one in learned.clauses]
        ),
        "our_loss_in_tenth": short.loss,
        "our_seconds_in_tenth": short_seconds,
        "ratio": theirs["seconds"] / seconds,
    }


def trials(dataset: str) -> list[Trial]:
    """The pairs of one dataset."""
    prices = LAMBDAS[:1] if dataset in LARGE else LAMBDAS
    return [
        Trial(NAME, "aix360", dataset, parameters=(("lambda", price),), time_limit=TIME_LIMIT)
        for price in prices
    ]


EXPERIMENT = Experiment(
    NAME,
    "AIX360 beside ours",
    ("aix360",),
    lambda table, profile: [trial for dataset in DATASETS for trial in trials(dataset)],
    {"aix360": run},
    lambda trial: 300.0 if trial.dataset in LARGE else 30.0,
)


def frame(finished: list[Finished]) -> pd.DataFrame:
    """One row per pair."""
    rows = [
        {
            "dataset": one.trial.dataset,
            "lambda": dict(one.trial.parameters)["lambda"],
            **{name: one.result.get(name) for name in COLUMNS},
        }
        for one in finished
    ]
    losses = dict.fromkeys([name for name in COLUMNS if "seconds" not in name and name != "ratio"], "Int64")
    return pd.DataFrame(rows).astype(losses)


def write(store: Store) -> None:
    """Record every pair that the store has."""
    wanted = [trial for dataset in DATASETS for trial in trials(dataset)]
    found = list(engine.plan(EXPERIMENT, wanted, store).stored)
    finished = engine.run(EXPERIMENT, found, store=store)
    lacking = [trial.label() for trial in wanted if trial not in found]
    path = write_recorded(NAME, "aix360", frame(finished), finished, partial=lacking)
    click.echo(f"{len(finished)} pairs: {path}")


@click.command()
@click.argument("datasets", nargs=-1, type=click.Choice(DATASETS))
def main(datasets: tuple[str, ...]) -> None:
    """Run DATASETS (by default all, the three slow ones last) and record all pairs that are stored."""
    if not (home() / PEER).is_file():
        raise click.UsageError("needs the environment of AIX360: run 'make bench-peers PEER=aix360'")
    with Store() as store:
        for dataset in datasets or DATASETS:
            engine.run(EXPERIMENT, trials(dataset), store=store)
            write(store)


if __name__ == "__main__":
    main()
