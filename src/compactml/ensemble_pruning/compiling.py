"""Compiling before the clock starts."""

from __future__ import annotations

from functools import cache

import numpy as np

from compactml.clock import Clock
from compactml.ensemble_pruning._local_search import searched
from compactml.ensemble_pruning.bounds.asummability import asummability_of
from compactml.ensemble_pruning.bounds.branching import ClassifierTree
from compactml.ensemble_pruning.instance import PruningInstance

__all__ = ["compile_kernels"]

NODES = 10


@cache
def compile_kernels() -> None:
    """Bound and search a tiny pool, once in a process: for trials that measure seconds."""
    rng = np.random.default_rng(0)
    instance = PruningInstance.from_votes(rng.random((60, 8)) < 0.5, rng.random(60) < 0.5, "accuracy")
    asummability_of(instance, Clock(None))
    ClassifierTree(instance, lambda found: instance.value(*found)).run(Clock(None), NODES)
    searched(instance, clock=Clock(None), moves=NODES)
