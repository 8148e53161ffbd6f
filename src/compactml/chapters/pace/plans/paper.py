"""Which trials stand behind the tables and figures of Akkerman, Ferry, Guyard and Vidal (2026).

How much of the protocol each profile runs stands in `compactml.chapters.pace.protocol`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from compactml.chapters.pace import NAME
from compactml.chapters.pace.datasets import BY_KEY, KEYS
from compactml.chapters.pace.plans.specifying import (
    ENSEMBLES,
    STUMPS,
    WHOLE_SPACE,
    compression,
    on_ensemble,
)
from compactml.chapters.pace.protocol import ALPHA, BETA, DEPTH, GENERATED_DEPTH, Protocol, keys
from compactml.chapters.pace.trials import beyond, separation
from compactml.chapters.pace.trials.paper import DATASET, FIPE, FIPE_KIND, FIPE_L1, GENERATE, PACE, PRUNE
from compactml.pace.trees.pricing import PRICINGS
from compactml.study.trial import Trial

__all__ = ["ablations", "datasets", "histories", "loops", "regions", "whole_space"]

HISTORY_DATASET, HISTORY_BETA = KEYS["Ionosphere"], 0.0


def ablations(protocol: Protocol, ensemble: str) -> Iterator[Trial]:
    """Tables 1 and 3."""
    shares = (ALPHA[ensemble], BETA)
    for key, n, method, seed in product(
        keys(protocol.datasets), protocol.sizes, (GENERATE, PRUNE, PACE), protocol.seeds
    ):
        yield compression(key, method, seed, protocol.limit, ensemble, (n, DEPTH[ensemble]), shares)


def datasets(protocol: Protocol) -> Iterator[Trial]:
    """Table 2."""
    for key in BY_KEY:
        yield Trial(NAME, DATASET.name, key)


def whole_space(protocol: Protocol, methods: tuple[str, ...]) -> Iterator[Trial]:
    """Table 4, and Pruning only beside Fipe: stumps, the same on the whole space."""
    generated = keys(protocol.whole_space_generated)
    for ensemble, key, method, seed in product(
        ENSEMBLES, keys(protocol.whole_space_datasets), methods, protocol.whole_space_seeds
    ):
        if method == PACE and key not in generated:
            continue
        asked = key, method, seed, protocol.limit, ensemble, STUMPS, WHOLE_SPACE
        if method in (FIPE, FIPE_L1):
            yield on_ensemble(FIPE_KIND, *asked)
        else:
            yield compression(*asked, generated_depth=GENERATED_DEPTH if method == PACE else None)


def loops(protocol: Protocol, ensemble: str, forms: tuple[str, ...]) -> Iterator[Trial]:
    """Figs 2, 5, 8 and 9; the paper has no form "milp" and no "search"."""
    for key, shape, form, seed in product(
        keys(protocol.loop_datasets), protocol.loops, forms, protocol.seeds
    ):
        yield on_ensemble(
            separation.FAITHFUL, key, form, seed, protocol.loop_limit, ensemble, shape, WHOLE_SPACE
        )


def regions(protocol: Protocol, ensemble: str, name: str) -> Iterator[Trial]:
    """Figs 3, 4, 6 and 7."""
    shape = (protocol.region_size, DEPTH[ensemble])
    for alpha, beta, method, seed in product(protocol.alphas, protocol.betas, (PRUNE, PACE), protocol.seeds):
        yield compression(KEYS[name], method, seed, protocol.limit, ensemble, shape, (alpha, beta))


def histories(protocol: Protocol, ensemble: str) -> Iterator[Trial]:
    """Figs 10 and 11: the generation phase, as long as it lasts."""
    shares = (ALPHA[ensemble], HISTORY_BETA)
    for shape, pricing, seed in product(protocol.histories, PRICINGS, protocol.seeds):
        yield on_ensemble(
            beyond.HISTORY, HISTORY_DATASET, pricing, seed, protocol.limit, ensemble, shape, shares
        )
