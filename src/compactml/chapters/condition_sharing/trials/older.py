"""Tables 2 and 3 with scikit-learn 1.1, the line that the paper used (1.1.dev0), in environments of their own.

NumPy's AVX-512 code is switched off there: its exponential and logarithm differ in the last bit from those of older
processors, which moves splits of boosted trees, and the printed conditions of gradient boosting come out without it.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from compactml.chapters.condition_sharing.trials import older_program
from compactml.chapters.condition_sharing.trials.paper import Changed, Shared, sharing_cost
from compactml.study.chapter import Kind
from compactml.study.keys.environments import Environment
from compactml.study.trial import Trial

AVX_512 = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
"""Names that a processor lacks are ignored."""
LATEST = Environment("scikit-learn-1.1")
NEAREST = Environment("scikit-learn-1.1.0", files=("environments/scikit-learn-1.1.0-build.txt",))
"""The last release of the line, and the one nearest to the paper's, which is compiled where it is installed."""


def run_in(environment: Environment, trial: Trial) -> Shared:
    """Run a trial of kind "sharing" in another environment.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    variables = {
        "NPY_DISABLE_CPU_FEATURES": AVX_512,
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


def _kind(name: str, run: Callable[[Trial], Shared], environment: Environment) -> Kind:
    return Kind(name, run, Shared, sharing_cost, environment=environment)


SHARING_LATEST = _kind("sharing_scikit_learn_1_1", run_latest, LATEST)
SHARING_NEAREST = _kind("sharing_scikit_learn_1_1_0", run_nearest, NEAREST)
