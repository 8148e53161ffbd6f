"""What trials of several kinds share: the program that a trial names, how a run ended, and what is not built."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.feature_selection.datasets import measures, program
from compactml.feature_selection.milp import n_rows
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult
from compactml.solvers import licence
from compactml.solvers.licences import Level
from compactml.study.trial import Trial

GAP_REL, GAP_ABS = 0.01, 0.001
"""The paper's tolerance; a run stops when either gap is met."""

LARGEST_PAIRED = {False: 1_024, True: 2_236}
"""Features up to which a model with a column or more for each pair is built, without and with a full licence."""
LARGEST_DENSE = 2_000
"""Features up to which MILP2 is built: it has 4 p rows of p entries."""
LARGEST_QUADRATIC = 2_000
"""Features up to which SCIP takes the quadratic problems of Algorithms 1 and 2: with some 2 GB for 1,024 and 6 GB for
2,000. Of PCMAC, which has 3,289, the process was killed with 23 GB, most of what the machine had."""
MODELS = ("milp1", "milp2", "milp3", "value_disjunction")
QUADRATIC = ("binary_search", "newton")
"""Algorithms 1 and 2, whose problems are quadratic."""

NOT_RUN = "not run"
PROVED, TIME_LIMIT, NO_SET = "proved", "time limit", "no set"
WORK_LIMIT = "work limit"
WORK = "work"
"""Parameter of a trial: the work of a program, which ends it before the clock."""


@dataclass(frozen=True)
class Ended:
    """How a run ended: its value, bound and gaps, of which a run that was left out has none.

    ``outcome`` of a run that proved nothing says which limit ended it, or that it has no set.
    ``gap_abs`` and ``gap_rel`` are what the paper prints: (17) for a MILP, the width (18) of the interval for binary
    search, the estimate (19) for Newton's method. ``gap_proved`` is bound less value, whatever the method.
    """

    outcome: str
    proved: int | None = None
    time_limit_reached: int | None = None
    value: float | None = None
    bound: float | None = None
    gap_abs: float | None = None
    gap_rel: float | None = None
    gap_proved: float | None = None
    seconds: float | None = None
    iterations: int | None = None
    n_selected: int | None = None
    support: str | None = None
    solver: str | None = None

    @classmethod
    def of(
        cls, program: FractionalProgram, result: FractionalResult, limit: str = TIME_LIMIT, **more: Any
    ) -> Self:
        """Return how a run on a program ended, with ``more`` that a subclass says of it.

        ``limit`` says which limit ended it, unless it has a proof.
        """
        last = result.history[-1] if result.history else None
        gaps = (result.gap_abs, result.gap_rel) if last is None else (last.gap_abs, last.gap_rel)
        return cls(
            outcome=PROVED if result.proved else limit if len(result.support) else NO_SET,
            proved=int(result.proved),
            time_limit_reached=int(not result.proved and limit == TIME_LIMIT),
            value=finite(result.value),
            bound=finite(result.bound),
            gap_abs=finite(gaps[0]),
            gap_rel=finite(gaps[1]),
            gap_proved=finite(result.gap_abs),
            seconds=result.seconds,
            iterations=result.iterations,
            n_selected=len(result.support),
            support=as_json(program, result.support),
            solver=None if result.choice is None else str(result.choice),
            **more,
        )


def limit_of(trial: Trial, result: FractionalResult) -> str:
    """Return which limit ends a run: that on work, if the trial has one, where the clock was not out."""
    clock = math.inf if trial.time_limit is None else trial.time_limit
    return WORK_LIMIT if work_limit(trial) is not None and result.seconds < clock else TIME_LIMIT


def work_limit(trial: Trial) -> float | None:
    """Return the limit on the work of each of a trial's programs, None where the clock alone ends it."""
    asked: dict[str, Any] = dict(trial.parameters)
    return asked.get(WORK)


def trial_program(trial: Trial) -> FractionalProgram:
    """The fractional program of the reading that a trial names."""
    asked: dict[str, Any] = dict(trial.parameters)
    return program(measures(trial.dataset, asked["discretizer"]), asked["measure"])


def left_out(method: str, p: int) -> str | None:
    """Return how the trial of a model ends that is not built, None where it is.

    Its memory and first relaxation alone would exceed any time limit here. Algorithms 1 and 2 are left out only where
    the licences of Gurobi and CPLEX end and SCIP cannot take their quadratic problems either.
    """
    full = any(licence(solver).level is Level.FULL for solver in ("gurobi", "cplex"))
    if method in MODELS:
        largest = LARGEST_DENSE if method == "milp2" else LARGEST_PAIRED[full]
        return None if p <= largest else f"{NOT_RUN}: {n_rows(method, p):,} rows"
    if method in QUADRATIC and not full and p > LARGEST_QUADRATIC:
        return f"{NOT_RUN}: {p * (p - 1) // 2:,} products"
    return None


def finite(number: float) -> float | None:
    """A number, None for one that is infinite or missing."""
    return float(number) if math.isfinite(number) else None


def as_json(program: FractionalProgram, support: NDArray[np.intp]) -> str:
    """Columns of the data that a set of variables stands for."""
    return json.dumps(program.features[support].tolist())
