"""Which trials stand behind our own tables: the lost settings, and what goes beyond the paper.

How much of the protocol each profile runs stands in `compactml.chapters.pace.protocol`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from compactml.chapters.pace.datasets import DISTINCT
from compactml.chapters.pace.plans.specifying import (
    ENSEMBLES,
    STUMPS,
    WHOLE_SPACE,
    compression,
    on_ensemble,
    read,
)
from compactml.chapters.pace.protocol import ALPHA, BETA, DEPTH, GENERATED_DEPTH, Protocol, keys
from compactml.chapters.pace.trials import beyond, separation
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.merging import MERGE
from compactml.chapters.pace.trials.paper import PACE, PRUNE
from compactml.chapters.pace.trials.refitting import REFIT
from compactml.chapters.pace.trials.scale import SCALE
from compactml.pace.separation.separator import ENGINES
from compactml.pace.trees.pricing import PRICINGS
from compactml.study.trial import Trial

__all__ = ["checks", "engines", "merged", "pricing", "rebinned", "refitted", "scaled", "settings"]

MERGED_POINTS = 20_000
"""At which merged ensembles are checked: each stands for a pruned one whose certificate is checked anyway."""


def settings(protocol: Protocol) -> Iterator[Trial]:
    """Pruning only over a grid of settings, to be compared with what Tables 1 and 3 print, and Table 4 (stumps)."""
    grid = protocol.settings
    for key, ensemble, n, depth, alpha, beta in product(
        keys(grid.datasets), ENSEMBLES, grid.sizes, grid.depths, grid.alphas, grid.betas
    ):
        if ensemble == RANDOM_FOREST or depth == DEPTH[ADABOOST]:
            yield compression(key, PRUNE, 0, protocol.settings_limit, ensemble, (n, depth), (alpha, beta))
    yield from whole_space_settings(protocol)


def whole_space_settings(protocol: Protocol) -> Iterator[Trial]:
    """Stumps of several sizes on the whole space."""
    for ensemble, key, n, seed in product(
        ENSEMBLES, keys(protocol.whole_space_datasets), protocol.whole_space_sizes, protocol.sized_seeds
    ):
        yield compression(key, PRUNE, seed, protocol.settings_limit, ensemble, (n, 1), WHOLE_SPACE)


def rebinned(protocol: Protocol) -> Iterator[Trial]:
    """The same with the other reading of the bins."""
    for trial in whole_space_settings(protocol):
        yield replace(trial, parameters=(*trial.parameters, ("deciles_of", DISTINCT)))


def pricing(protocol: Protocol) -> Iterator[Trial]:
    """Exact pricing against CART: LP values on the same samples, and final sizes, also with deeper trees."""
    shape, shares = (protocol.sizes[0], DEPTH[RANDOM_FOREST]), (ALPHA[RANDOM_FOREST], BETA)
    for key, way, seed in product(keys(protocol.priced), PRICINGS, protocol.seeds):
        yield on_ensemble(beyond.PRICING, key, way, seed, protocol.limit, RANDOM_FOREST, shape, shares)
        for depth in (None, shape[1] + 1):
            yield compression(
                key, PACE, seed, protocol.limit, RANDOM_FOREST, shape, shares,
                pricing=way, generated_depth=depth,
            )  # fmt: skip


def engines(protocol: Protocol) -> Iterator[Trial]:
    """All forms on the same weights, forests and AdaBoost."""
    for ensemble, key, shape, form, seed in product(
        ENSEMBLES, keys(protocol.loop_datasets), protocol.engines, ENGINES, protocol.seeds
    ):
        yield on_ensemble(
            separation.ENGINES_KIND, key, form, seed, protocol.engine_limit, ensemble, shape, WHOLE_SPACE
        )


def checks(protocol: Protocol) -> Iterator[Trial]:
    """Certificates checked anew, in the settings of Tables 1, 3 and 4."""
    for ensemble, seed in product(ENSEMBLES, protocol.seeds):
        ablated = (protocol.sizes[0], DEPTH[ensemble]), (ALPHA[ensemble], BETA), protocol.datasets
        whole = STUMPS, WHOLE_SPACE, protocol.whole_space_generated
        for (shape, shares, names), depth in ((ablated, None), (whole, GENERATED_DEPTH)):
            for key in keys(names):
                yield compression(
                    key, PACE, seed, protocol.limit, ensemble, shape, shares,
                    kind=beyond.RECHECK, generated_depth=depth, n_points=protocol.n_points,
                )  # fmt: skip


def merged(protocol: Protocol) -> Iterator[Trial]:
    """Pruning only on the ensembles of Table 4, then merged into trees as deep as Pace generates there."""
    for ensemble, key, seed in product(
        ENSEMBLES, keys(protocol.whole_space_datasets), protocol.whole_space_seeds
    ):
        yield compression(
            key, PRUNE, seed, protocol.limit, ensemble, STUMPS, WHOLE_SPACE,
            kind=MERGE, generated_depth=GENERATED_DEPTH, n_points=MERGED_POINTS,
        )  # fmt: skip


def refitted(protocol: Protocol) -> Iterator[Trial]:
    """Pruning only in the settings of Tables 1 and 3, then refitted with trees as deep, and one level deeper."""
    for ensemble, key, n, seed in product(
        ENSEMBLES, keys(protocol.datasets), protocol.refitted_sizes, protocol.seeds
    ):
        shape, shares = (n, DEPTH[ensemble]), (ALPHA[ensemble], BETA)
        yield compression(
            key, PRUNE, seed, protocol.limit, ensemble, shape, shares,
            kind=REFIT, n_points=protocol.n_points // 10,
        )  # fmt: skip


def scaled(protocol: Protocol) -> Iterator[Trial]:
    """Forests by size and depth at one margin, and the largest of the first depth at the others."""
    grid = protocol.scale
    shapes = [((n, depth), grid.alpha) for depth, n in product(grid.depths, grid.sizes)]
    shapes += [((grid.sizes[-1], grid.depths[0]), alpha) for alpha in grid.alphas if alpha != grid.alpha]
    for key, (shape, alpha), seed in product(keys(grid.datasets), shapes, protocol.seeds):
        yield read(
            SCALE, key, PRUNE, seed, grid.limit, RANDOM_FOREST, shape, (alpha, 0.0),
            bound_limit=grid.bound_limit,
        )  # fmt: skip
