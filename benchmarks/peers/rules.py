"""Boolean rules beside BooleanRuleCG of AIX360: the same literals, no larger complexity, no more time.

BooleanRuleCG takes a price of complexity and no bound on it. So it is fitted first; then ours gets the complexity of
its clauses, and its seconds as a limit. Our time is that of the first rule set with no larger loss than AIX360's, our
value the loss at the end of the limit.
"""

from __future__ import annotations

import math
import time
import warnings

import numpy as np

from benchmarks import tables
from benchmarks.peers.measured import CLOCK, OURS, Measured
from compactml.boolean_rules.learning import compile_kernels, learn
from compactml.chapters.boolean_rules.datasets import problem
from compactml.chapters.boolean_rules.trials.aix360 import (
    ENVIRONMENT,
    Problem,
    hamming_loss,
    peer_fit,
    problem_of,
)
from compactml.study.keys.fingerprint import data_identity
from compactml.watch import EndedEarlyWarning, News

__all__ = ["CASES", "ENVIRONMENT", "at_hand", "measure"]

HELOC = "heloc_special_values_missing"
CASES = (
    ("heloc", "0.001"),
    ("heloc", "0.0003"),
    ("hdma", "0.001"),
    ("hdma", "0.0003"),
    ("fair", "0.001"),
    ("fair", "0.0003"),
    ("flchain", "0.001"),
    ("flchain", "0.0003"),
    ("hi", "0.001"),
    ("hi", "0.0003"),
)
"""Table, and AIX360's price of complexity: its default, and a lower one, for longer rules."""


def at_hand(name: str) -> bool:
    """Whether a table can be read here."""
    return data_identity(HELOC).at_hand if name == "heloc" else tables.at_hand(name)


def given(name: str) -> Problem:
    """The literals of a table, for both programs."""
    X, y = problem(HELOC) if name == "heloc" else tables.table(name)
    return problem_of(X, np.asarray(y, dtype=bool))


def ours(asked: Problem, complexity: int, loss: int, limit: float) -> Measured:
    """Our rule set within a complexity and a limit, and when it was first no worse than a loss."""
    compile_kernels()
    begin, equal = time.process_time(), math.nan

    def note(news: News) -> None:
        nonlocal equal
        if math.isnan(equal) and news.value <= loss:
            equal = time.process_time() - begin

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EndedEarlyWarning)
        learned = learn(asked.instance, complexity, time_limit=limit, solver="highs", callback=note)
    value = hamming_loss(asked.matrix, asked.y, learned.clauses)
    if value != learned.loss or sum(1 + len(clause) for clause in learned.clauses) > complexity:
        raise AssertionError(
            f"a rule set of loss {value} was reported with {learned.loss}, or is too complex"
        )
    return Measured(f"complexity {complexity}", OURS, equal, value, learned.lower_bound == learned.loss)


def measure(name: str, price: str) -> list[Measured]:
    """Both programs on one table."""
    asked = given(name)
    theirs = peer_fit(asked, float(price), str(CLOCK))
    complexity = sum(1 + len(clause) for clause in theirs["clauses"])
    loss = hamming_loss(asked.matrix, asked.y, theirs["clauses"])
    peer = Measured(f"complexity {complexity}", theirs["solver"].split(",")[0], theirs["seconds"], loss)
    if complexity < 2:
        return [peer]  # it says that nobody is positive, and there is nothing to compare
    return [peer, ours(asked, complexity, loss, theirs["seconds"])]
