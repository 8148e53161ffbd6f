"""What the paper does not have: proved optima of all instances, certificates checked anew, growth with p.

The instances are those of Tables 2-7, the paper's errors of reading included, so that both solve the same problem.
"""

from __future__ import annotations

import math
import pickle
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.feature_selection.datasets import BY_KEY
from compactml.chapters.feature_selection.trials.solving import (
    GAP_ABS,
    GAP_REL,
    Ended,
    left_out,
    limit_of,
    trial_program,
    work_limit,
)
from compactml.feature_selection.certified.proved_optima import compile_kernels
from compactml.feature_selection.errors import CertificateError
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult
from compactml.feature_selection.solving import solve
from compactml.feature_selection.verifying import verify
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

OURS = "certified"
TOLERANCES = {"beyond": (GAP_REL, GAP_ABS), "exact": (1e-6, 1e-9)}
"""Relative and absolute gap by what the specification of a trial has as its table: the paper's, and ours."""


@dataclass(frozen=True, kw_only=True)
class Certified(Ended):
    """How our method ended, and what the verifier says of its certificate.

    It has no seconds and no bytes where there is no certificate; ``refused`` says why one does not prove its bound.
    """

    certificate_verified: int
    refused: str | None = None
    verify_seconds: float | None = None
    certificate_bytes: int | None = None


def run_certified(trial: Trial) -> Certified:
    """One instance by our method, and its certificate checked by the independent verifier."""
    compile_kernels()
    program = trial_program(trial)
    gap_rel, gap_abs = TOLERANCES[dict(trial.parameters)["table"]]  # type: ignore[index]
    result = solve(program, method=OURS, gap_rel=gap_rel, gap_abs=gap_abs, time_limit=trial.time_limit)
    return checked(program, result)


def checked(program: FractionalProgram, result: FractionalResult) -> Certified:
    """How a run ended; whether its certificate proves the bound, seconds to check it, and its size when pickled."""
    if result.certificate is None:
        return Certified.of(program, result, certificate_verified=0)
    started = time.perf_counter()
    refused = None
    try:
        proved = verify(program, result.certificate)
    except CertificateError as error:
        proved, refused = math.inf, str(error)
    return Certified.of(
        program,
        result,
        certificate_verified=int(proved <= result.bound),
        refused=refused,
        verify_seconds=time.perf_counter() - started,
        certificate_bytes=len(pickle.dumps(result.certificate)),
    )


def columns(p: int, n_columns: int, seed: int) -> NDArray[np.intp]:
    """The first ``p`` of all columns in a random order: for one seed, smaller sets are parts of larger ones."""
    return np.random.default_rng(seed).permutation(n_columns)[:p]


def part(whole: FractionalProgram, chosen: NDArray[np.intp]) -> FractionalProgram:
    """The program on some of its variables."""
    square = np.ix_(chosen, chosen)
    return FractionalProgram(
        whole.a[chosen],
        whole.b[square],
        whole.c[chosen],
        whole.d[square],
        names=[whole.names[j] for j in chosen],
        features=whole.features[chosen],
        measure=whole.measure,
    )


def run_growth(trial: Trial) -> Ended:
    """One method on some columns of one dataset, at the paper's tolerance."""
    asked = dict(trial.parameters)
    p = int(asked["p"])  # type: ignore[arg-type]
    whole = trial_program(trial)
    program = part(whole, columns(p, whole.n_features, trial.seed))
    if trial.method == OURS:
        compile_kernels()
    elif outcome := left_out(trial.method, p):
        return Ended(outcome)
    result = solve(
        program,
        method=trial.method,
        gap_rel=GAP_REL,
        gap_abs=GAP_ABS,
        time_limit=trial.time_limit,
        work_limit=work_limit(trial),
    )
    return Ended.of(program, result, limit_of(trial, result))


def certified_seconds(trial: Trial, p: float) -> float:
    """Rough seconds of our method with ``p`` features on one core."""
    return min(trial.time_limit or 0.0, 1.0 + (p / 100) ** 2)


def certified_cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return certified_seconds(trial, BY_KEY[trial.dataset].p)


def growth_cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core: the other methods take all of their limit."""
    if trial.method != OURS:
        return trial.time_limit or 0.0
    return certified_seconds(trial, float(dict(trial.parameters)["p"] or 0))


CERTIFIED = Kind("certified", run_certified, Certified, certified_cost)
GROWTH = Kind("growth", run_growth, Ended, growth_cost)
