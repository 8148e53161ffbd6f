"""Tables 2 and 3 with scikit-learn 1.1, the line that the paper used (1.1.dev0), in environments of their own.

Trials of kind "rounding" run one ensemble several times, with instructions of the processor switched off: all that can
differ then is the last bit of some numbers.

NumPy's AVX-512 code is switched off there: its exponential and logarithm differ in the last bit from those of older
processors, which moves splits of boosted trees, and the printed conditions of gradient boosting come out without it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from compactml.chapters.condition_sharing.trials import older_program
from compactml.chapters.condition_sharing.trials.paper import Changed, Shared, sharing_cost
from compactml.study.chapter import Kind
from compactml.study.keys.environments import Environment
from compactml.study.results import spread
from compactml.study.trial import Trial

AVX_512 = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
"""Names that a processor lacks are ignored."""
LATEST = Environment("scikit-learn-1.1")
NEAREST = Environment("scikit-learn-1.1.0", files=("environments/scikit-learn-1.1.0-build.txt",))
"""The last release of the line, and the one nearest to the paper's, which is compiled where it is installed."""


WITHOUT_AVX_512 = {"NPY_DISABLE_CPU_FEATURES": AVX_512}
WITHOUT_FMA = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-FMA_Usable,-AVX2_Usable"}
"""Fused multiply-add in the exponential and logarithm of the C library; the names of old and new versions."""
MACHINES: Mapping[str, Mapping[str, str]] = {
    "whole": {}, "avx_512_off": WITHOUT_AVX_512, "fma_off": {**WITHOUT_AVX_512, **WITHOUT_FMA},
}  # fmt: skip
"""What is switched off, in NumPy and then in the C library too."""


@dataclass(frozen=True)
class Grown:
    """Conditions and test accuracy of an ensemble before sharing."""

    NDC: int
    TeA: float


@dataclass(frozen=True)
class Rounded:
    """One ensemble as it is grown with all instructions and without some."""

    machines: dict[str, Grown] = spread(tuple(MACHINES), Grown)


def run_in(environment: Environment, trial: Trial, machine: Mapping[str, str] = WITHOUT_AVX_512) -> Shared:
    """Run a trial of kind "sharing" in another environment.

    Parameters
    ----------
    environment : Environment
    trial : Trial
    machine : mapping of str to str
        Variables that switch off instructions.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    variables = {
        **machine,
        # compiled code of another numba version must not meet the one beside the sources
        "NUMBA_CACHE_DIR": str(environment.python.parents[1] / "numba_cache"),
    }
    result = json.loads(environment.run(str(older_program.__file__), trial.canonical(), variables=variables))
    changed = {name: Changed(**one) for name, one in result.pop("changed").items()}
    return Shared(**result, changed=changed)


def run_latest(trial: Trial) -> Shared:
    """Share the conditions of an ensemble of scikit-learn 1.1.3."""
    return run_in(LATEST, trial)


def run_nearest(trial: Trial) -> Shared:
    """Share the conditions of an ensemble of scikit-learn 1.1.0."""
    return run_in(NEAREST, trial)


def run_rounding(trial: Trial) -> Rounded:
    """Grow an ensemble of scikit-learn 1.1.3 on every machine of `MACHINES`."""
    runs = {name: run_in(LATEST, trial, machine) for name, machine in MACHINES.items()}
    return Rounded({name: Grown(run.NDC, run.TeA) for name, run in runs.items()})


def rounding_cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return len(MACHINES) * (5 + sharing_cost(trial))


def _kind(name: str, run: Callable[[Trial], Shared], environment: Environment) -> Kind:
    return Kind(name, run, Shared, sharing_cost, environment=environment)


SHARING_LATEST = _kind("sharing_scikit_learn_1_1", run_latest, LATEST)
SHARING_NEAREST = _kind("sharing_scikit_learn_1_1_0", run_nearest, NEAREST)
ROUNDING = Kind("rounding", run_rounding, Rounded, rounding_cost, environment=LATEST)
