"""Which trials stand behind the scan of the choices that the paper leaves open, and behind sizes beside learners.

Pace's duals, the largest depth of its new trees and the order of its phases are not stated. N, depth, alpha and beta of
the ensembles are those that the printed sizes of *Pruning only* and *Fipe* fix; no size with generated trees serves for
any choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from compactml.chapters.pace.datasets import KEYS
from compactml.chapters.pace.plans.specifying import ENSEMBLES, STUMPS, WHOLE_SPACE, Shares, read
from compactml.chapters.pace.protocol import (
    ALPHA,
    BETA,
    DEPTH,
    GENERATED_DEPTH,
    Protocol,
    Shape,
    keys,
)
from compactml.chapters.pace.trials.ensembles import ADABOOST
from compactml.chapters.pace.trials.paper import PACE, PRUNE
from compactml.chapters.pace.trials.readings import IN_LEAVES, NO_LIMIT, READING, SINGLE, SIZED
from compactml.pace._compress import GENERATE_FIRST, PRUNE_FIRST
from compactml.pace.generation import INTERIOR, UNIFORM, VERTEX
from compactml.study.trial import Trial

__all__ = [
    "JUDGED",
    "Reading",
    "ablation_scan",
    "order_scan",
    "region_scan",
    "sizes",
    "whole_space_scan",
]

PAPERS, OURS = "constraint", "auto"
"""Forms of separation."""
SLOW = KEYS["Diabetes"]
"""Its AdaBoost ensemble needs more time than the others where new trees have no limit (Table 4)."""


class Reading(NamedTuple):
    """What the paper leaves open of its first phase."""

    duals: str
    depth_limit: str
    order: str


JUDGED = Reading(VERTEX, NO_LIMIT, GENERATE_FIRST)
"""On which claims are judged: the order that the paper states, and elsewhere what the programs do that it names.

An LP solver ends in a vertex, and a tree of scikit-learn has no limit of its depth, unless they are told otherwise.
"""


def whole_space_scan(protocol: Protocol) -> Iterator[Trial]:
    """Table 4 in the paper's order, separated by its constraint program.

    The slow ensemble is separated by ours as well: thousands of rounds are many for a constraint program.
    """
    yield from scan(protocol, ENSEMBLES, STUMPS, WHOLE_SPACE, GENERATE_FIRST)
    for reading in readings(protocol, GENERATE_FIRST):
        if (
            SLOW in keys(protocol.read_datasets)
            and reading.depth_limit == NO_LIMIT
            and reading.duals != VERTEX
        ):
            yield under(reading, SLOW, protocol.read_slow_limit, ADABOOST, STUMPS, WHOLE_SPACE, OURS)


def ablation_scan(protocol: Protocol, ensemble: str) -> Iterator[Trial]:
    """The smallest ensembles of Table 1 or 3 in the paper's order.

    With an isolation forest the constraint program takes long: claims rest on it, with more time, and all readings are
    run with our exact separation.
    """
    shape, shares = (protocol.sizes[0], DEPTH[ensemble]), (ALPHA[ensemble], BETA)
    for key in keys(protocol.read_datasets if ensemble in protocol.read_hard else ()):
        yield under(JUDGED, key, protocol.read_long_limit, ensemble, shape, shares)
    yield from scan(protocol, (ensemble,), shape, shares, GENERATE_FIRST, OURS)


def region_scan(protocol: Protocol) -> Iterator[Trial]:
    """Figs 3, 4, 6 and 7 in the paper's order: the whole space, and the regions of the protocol."""
    for shares, name, ensemble, reading in product(
        protocol.read_regions, protocol.read_regions_of, ENSEMBLES, readings(protocol, GENERATE_FIRST)
    ):
        shape = (protocol.region_size, DEPTH[ensemble])
        yield under(reading, KEYS[name], protocol.read_limit, ensemble, shape, shares)


def order_scan(protocol: Protocol) -> Iterator[Trial]:
    """Tables 4, 1 and 3 in our order."""
    yield from scan(protocol, ENSEMBLES, STUMPS, WHOLE_SPACE, PRUNE_FIRST, OURS)
    for ensemble in ENSEMBLES:
        shape, shares = (protocol.sizes[0], DEPTH[ensemble]), (ALPHA[ensemble], BETA)
        yield from scan(protocol, (ensemble,), shape, shares, PRUNE_FIRST, OURS)


def scan(
    protocol: Protocol,
    ensembles: tuple[str, ...],
    shape: Shape,
    shares: Shares,
    order: str,
    separation: str = PAPERS,
) -> Iterator[Trial]:
    """All duals and depths on ensembles of all datasets."""
    for reading, ensemble, key in product(readings(protocol, order), ensembles, keys(protocol.read_datasets)):
        slow = (key, ensemble, shares, reading.depth_limit) == (SLOW, ADABOOST, WHOLE_SPACE, NO_LIMIT)
        longer = slow and reading.duals in (INTERIOR, UNIFORM) and order == GENERATE_FIRST
        limit = protocol.read_slow_limit if longer else protocol.read_limit
        yield under(reading, key, limit, ensemble, shape, shares, separation)


def readings(protocol: Protocol, order: str) -> list[Reading]:
    """All duals and depths in one order of the phases."""
    return [
        Reading(duals, depth, order) for depth, duals in product(protocol.read_depths, protocol.read_duals)
    ]


def under(
    reading: Reading,
    key: str,
    limit: float,
    ensemble: str,
    shape: Shape,
    shares: Shares,
    separation: str = PAPERS,
) -> Trial:
    """One run of Pace."""
    choices = reading._asdict() | {"separation": separation}
    return read(READING, key, PACE, 0, limit, ensemble, shape, shares, **choices)


def sizes(protocol: Protocol) -> Iterator[Trial]:
    """Pruning only, Pace in leaves and one tree: ensembles of Table 4, and the smallest of Tables 1 and 3."""
    ablated = [(one, (protocol.sizes[0], DEPTH[one]), (ALPHA[one], BETA), (0,)) for one in ENSEMBLES]
    whole = [(one, STUMPS, WHOLE_SPACE, protocol.whole_space_seeds) for one in ENSEMBLES]
    for ensemble, shape, shares, seeds in (*whole, *ablated):
        hard = shares == WHOLE_SPACE or ensemble in protocol.read_hard
        methods = (SINGLE, PRUNE, IN_LEAVES) if hard else (SINGLE, PRUNE)
        for key, method, seed in product(keys(protocol.read_datasets), methods, seeds):
            limit = protocol.single_limit if method == SINGLE else protocol.read_limit
            depth = str(GENERATED_DEPTH)
            yield read(SIZED, key, method, seed, limit, ensemble, shape, shares, depth_limit=depth)
