"""What the paper does not have: proved optima of all instances, certificates checked anew, growth with p.

The instances are those of Tables 2-7, the paper's errors of reading included, so that both solve the same problem.
"""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.feature_selection.datasets import BY_KEY, DATASETS, MEASURES
from compactml.chapters.feature_selection.protocol import (
    CERTIFIED_LIMIT,
    QUICK_BEYOND,
    SOLVER_LIMIT,
    names,
)
from compactml.chapters.feature_selection.trials.paper import (
    GAP_ABS,
    GAP_REL,
    TOO_LARGE,
    described,
    too_large,
    trial_program,
)
from compactml.feature_selection.certified.proved_optima import compile_kernels
from compactml.feature_selection.errors import CertificateError
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult
from compactml.feature_selection.solving import solve
from compactml.feature_selection.verifying import verify
from compactml.study.profile import Profile
from compactml.study.trial import Result, Trial

TABLES = ("beyond", "exact", "growth")
OURS = "certified"
TOLERANCES = {"beyond": (GAP_REL, GAP_ABS), "exact": (1e-6, 1e-9)}
"""Relative and absolute gap of a table: the paper's, and ours."""

WIDE = "orl_32x32"
"""The dataset of the growth study; its optima are large, so that no part of it is solved by the tolerance alone."""
GROWTH_METHODS = (OURS, "newton", "milp3")
GROWTH_SIZES = {
    Profile.QUICK: (25, 50),
    Profile.STANDARD: (25, 50, 100, 200, 400, 800),
    Profile.PAPER: (25, 50, 100, 200, 400, 800),
}


def run_certified(trial: Trial) -> Result:
    """One instance by our method, and its certificate checked by the independent verifier."""
    compile_kernels()
    own = trial_program(trial)
    gap_rel, gap_abs = TOLERANCES[dict(trial.parameters)["table"]]  # type: ignore[index]
    found = solve(own, method=OURS, gap_rel=gap_rel, gap_abs=gap_abs, time_limit=trial.time_limit)
    return {**described(own, found), **checked(own, found)}


def checked(own: FractionalProgram, found: FractionalResult) -> Result:
    """Whether the certificate proves the bound (why not), seconds to check it, and its size when pickled."""
    if found.certificate is None:
        return {"certificate_verified": 0}
    started = time.perf_counter()
    refused = None
    try:
        proved = verify(own, found.certificate)
    except CertificateError as error:
        proved, refused = math.inf, str(error)
    return {
        "certificate_verified": int(proved <= found.bound),
        "refused": refused,
        "verify_seconds": time.perf_counter() - started,
        "certificate_bytes": len(pickle.dumps(found.certificate)),
    }


def columns(p: int, n_columns: int, seed: int) -> NDArray[np.intp]:
    """The first ``p`` of all columns in a random order: for one seed, smaller sets are parts of larger ones."""
    return np.random.default_rng(seed).permutation(n_columns)[:p]


def part(own: FractionalProgram, chosen: NDArray[np.intp]) -> FractionalProgram:
    """The program on some of its variables."""
    square = np.ix_(chosen, chosen)
    return FractionalProgram(
        own.a[chosen],
        own.b[square],
        own.c[chosen],
        own.d[square],
        names=[own.names[j] for j in chosen],
        features=own.features[chosen],
        measure=own.measure,
    )


def run_growth(trial: Trial) -> Result:
    """One method on some columns of one dataset, at the paper's tolerance."""
    asked = dict(trial.parameters)
    p = int(asked["p"])  # type: ignore[arg-type]
    whole = trial_program(trial)
    own = part(whole, columns(p, whole.n_features, trial.seed))
    if trial.method == OURS:
        compile_kernels()
    elif too_large(trial.method, p):
        return {"outcome": TOO_LARGE}
    found = solve(own, method=trial.method, gap_rel=GAP_REL, gap_abs=GAP_ABS, time_limit=trial.time_limit)
    return described(own, found)


RUN: Mapping[str, Callable[[Trial], Result]] = {"certified": run_certified, "growth": run_growth}


def trials(chapter: str, table: str, profile: Profile) -> list[Trial]:
    """Trials of one of these tables."""
    if table == "growth":
        return growth(chapter, profile)
    return [
        Trial(
            chapter,
            "certified",
            dataset.key,
            method=OURS,
            parameters=(("measure", measure), ("discretizer", dataset.discretizer), ("table", table)),
            time_limit=CERTIFIED_LIMIT[profile],
        )
        for dataset in DATASETS
        if dataset.name in names(profile, QUICK_BEYOND)
        for measure in MEASURES
    ]


def growth(chapter: str, profile: Profile) -> list[Trial]:
    """The growth study: mRMR, which all three methods can solve."""
    limits = {OURS: CERTIFIED_LIMIT[profile]}
    return [
        Trial(
            chapter,
            "growth",
            WIDE,
            method=method,
            parameters=(("measure", "mrmr"), ("discretizer", BY_KEY[WIDE].discretizer), ("p", p)),
            time_limit=limits.get(method, SOLVER_LIMIT[profile]),
        )
        for p in GROWTH_SIZES[profile]
        for method in GROWTH_METHODS
    ]


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    limit = trial.time_limit or 0.0
    if trial.method == OURS:
        p = dict(trial.parameters).get("p", BY_KEY[trial.dataset].p)
        return min(limit, 1.0 + (float(p or 0) / 100) ** 2)
    return limit
