"""How the trials of this chapter are specified, and how a plan of the protocol becomes one of a profile."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from compactml.chapters.pace import NAME
from compactml.chapters.pace.protocol import (
    ISOLATION_SAMPLES,
    ISOLATION_TREES,
    PROTOCOLS,
    WHOLE_SPACE_SIZE,
    Protocol,
    Shape,
)
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import COMPRESS
from compactml.pace.trees.pricing import PRICINGS
from compactml.study.chapter import Kind
from compactml.study.profile import Profile
from compactml.study.trial import Scalar, Trial

__all__ = [
    "ENSEMBLES", "STUMPS", "WHOLE_SPACE", "Shares", "compression", "of_profile", "on_ensemble", "read",
]  # fmt: skip

Shares = tuple[float, float]
"""Alpha and beta."""
ENSEMBLES = (RANDOM_FOREST, ADABOOST)
WHOLE_SPACE: Shares = (0.0, 0.0)
STUMPS: Shape = (WHOLE_SPACE_SIZE, 1)
"""The initial ensembles of Table 4."""


def of_profile(
    plan: Callable[..., Iterator[Trial]], *fixed: str | tuple[str, ...]
) -> Callable[[Profile], list[Trial]]:
    """Return the plan of a table: the trials that a profile runs.

    Parameters
    ----------
    plan : callable (Protocol, *fixed) -> iterator of Trial
    *fixed : str or tuple of str
        What tells this table from others of the same plan.
    """

    def trials(profile: Profile) -> list[Trial]:
        protocol: Protocol = PROTOCOLS[profile]
        return list(plan(protocol, *fixed))

    return trials


def described(ensemble: str, shape: Shape, shares: Shares, **more: Scalar) -> tuple[tuple[str, Scalar], ...]:
    """Parameters of a trial: the initial ensemble, and the region by alpha and beta."""
    (n_learners, depth), (alpha, beta) = shape, shares
    fixed: dict[str, Scalar] = {
        "ensemble": ensemble,
        "n_learners": n_learners,
        "depth": depth,
        "alpha": alpha,
        "beta": beta,
    }
    if beta > 0:
        fixed |= {"isolation_trees": ISOLATION_TREES, "isolation_samples": ISOLATION_SAMPLES}
    return tuple((fixed | more).items())


def on_ensemble(
    kind: Kind,
    key: str,
    method: str,
    seed: int,
    limit: float,
    ensemble: str,
    shape: Shape,
    shares: Shares,
) -> Trial:
    """One trial of which nothing but the initial ensemble and the region is asked."""
    parameters = described(ensemble, shape, shares)
    return Trial(NAME, kind.name, key, method, None, seed, parameters, limit)


def read(
    kind: Kind,
    key: str,
    method: str,
    seed: int,
    limit: float,
    ensemble: str,
    shape: Shape,
    shares: Shares,
    **choices: Scalar,
) -> Trial:
    """One trial under named choices of what the paper leaves open."""
    parameters = described(ensemble, shape, shares, **choices)
    return Trial(NAME, kind.name, key, method, None, seed, parameters, limit)


def compression(
    key: str,
    method: str,
    seed: int,
    limit: float,
    ensemble: str,
    shape: Shape,
    shares: Shares,
    *,
    kind: Kind = COMPRESS,
    pricing: str = PRICINGS[0],
    generated_depth: int | None = None,
    **more: Scalar,
) -> Trial:
    """One compression by Pace or one of its phases, and what else its kind does with it."""
    parameters = described(ensemble, shape, shares, pricing=pricing, generated_depth=generated_depth, **more)
    return Trial(NAME, kind.name, key, method, None, seed, parameters, limit)
