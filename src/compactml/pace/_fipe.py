"""Fipe (Emine, Forel, Malek and Vidal, 2025), the baseline: pruning that is faithful on the whole space."""

from __future__ import annotations

from typing import Any, Literal

from numpy.typing import ArrayLike

from compactml.errors import check_choice
from compactml.pace._compress import checked_clock, compressed_under
from compactml.pace.compressed import CompressedEnsemble
from compactml.watch import Callback, Watch

__all__ = ["fipe"]


def fipe(
    ensemble: Any,
    X: ArrayLike,
    *,
    norm: Literal["l0", "l1"] = "l0",
    separation: str = "objective",
    uncertified: bool = False,
    time_limit: float | None = 60.0,
    solver: str = "auto",
    random_state: int = 0,
    verbose: bool = False,
    callback: Callback | None = None,
) -> CompressedEnsemble:
    """Prune an ensemble without generating learners, with alpha = beta = 0.

    The same programs as in `compress`, so that a comparison shows what the method does and not its implementation;
    (P0) has valid bounds here, other than in the published code.

    Parameters
    ----------
    ensemble, X
        As in `compactml.pace.compress`.
    norm : {"l0", "l1"}, default "l0"
        (P0), or (P1).
    separation : {"objective", "milp", "constraint", "both", "search", "auto"}, default "objective"
        The most separating sample (27), by a constraint program or, as in the published code, by a mixed-integer one.
    uncertified, time_limit, solver, random_state, verbose, callback
        As in `compactml.pace.compress`.

    Returns
    -------
    CompressedEnsemble

    Raises
    ------
    InvalidParameterError
        An unknown norm; besides, what `compactml.pace.compress` raises.
    """
    check_choice("norm", norm, ("l0", "l1"))
    clock = checked_clock(time_limit, None, random_state)
    return compressed_under(
        Watch("fipe", clock, verbose=verbose, callback=callback),
        ensemble,
        X,
        generate=False,
        prune=norm == "l0",
        separation=separation,
        uncertified=uncertified,
        solver=solver,
        random_state=random_state,
    )
