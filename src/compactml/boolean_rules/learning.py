"""One binary problem from columns to a rule set with a proved bound."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.exact.learning import learn_exactly
from compactml.boolean_rules.exact.limits import Limits
from compactml.boolean_rules.generating import PAPER, PRICINGS, Options, learn_within
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learned import Learned
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.pricing.search import LARGEST, ROWS_FOR_BITSETS, Search
from compactml.clock import Clock
from compactml.errors import (
    InvalidParameterError,
    check_choice,
    check_finite,
    check_fraction,
    check_instance,
    check_integer,
)
from compactml.solvers import SOLVERS
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["PRICINGS", "Learned", "check_parameters", "check_time_limit", "compile_kernels", "learn"]


def check_parameters(complexity: Any, max_clause_size: Any, pricing: Any, gap: Any, solver: Any) -> None:
    """Raise `InvalidParameterError` where `learn` does not take one of these."""
    check_integer("complexity", complexity, 2, LARGEST)
    if max_clause_size is not None:
        check_integer("max_clause_size", max_clause_size, 1, LARGEST)
    check_choice("pricing", pricing, (*PRICINGS, PAPER))
    check_fraction("gap", gap)
    check_choice("solver", solver, ("auto", *SOLVERS))


def check_time_limit(time_limit: Any) -> None:
    """Raise `InvalidParameterError` unless an estimator's limit is seconds above 0, or None."""
    if time_limit is not None and check_finite("time_limit", time_limit) <= 0:
        raise InvalidParameterError("time_limit", "seconds above 0, or None", time_limit)


def learn(
    instance: Instance,
    complexity: int,
    *,
    max_clause_size: int | None = None,
    pricing: str = "branch_and_bound",
    pricing_time_limit: float = 45.0,
    time_limit: float | None = 60.0,
    gap: float = 0.0,
    solver: str = "auto",
    random_state: int = 0,
    verbose: bool = False,
    callback: Callback | None = None,
) -> Learned:
    """Learn the rule set of smallest Hamming loss with complexity at most C.

    Parameters
    ----------
    instance : Instance
    complexity : int
        C of (3), at least 2.
    max_clause_size : int, optional
        D of (9), by default C - 1, which excludes nothing.
    pricing : {"branch_and_bound", "mip", "heuristic", "paper"}
        Ours, or the paper's integer program with its heuristic behind it, or the heuristic alone; our local search
        stands behind each of these. With "paper" nothing of ours does: the paper's procedure as it is described,
        with random samples of large data.
    pricing_time_limit : float, default 45.0
        Seconds for one integer program of "mip" and "paper" (45 in the paper's first experiment, 30 in its second).
    time_limit : float or None, default 60.0
        Seconds, None for no limit; what compiling takes does not count. Where it ends the work
        before its proof, an `compactml.watch.EndedEarlyWarning` says so.
    gap : float, default 0
        Relative gap (loss - bound) / loss at which to stop.
    solver : str
        For the integer programs.
    random_state : int, default 0
        Of the samples of "paper".
    verbose : bool, default False
        Print a line at each change of loss or bound.
    callback : callable (News) -> object, optional
        Called at each such change, see `compactml.watch.News`.

    Raises
    ------
    InvalidDataError
        What is no instance.
    InvalidParameterError
        An argument outside its range.
    """
    check_instance("instance", instance, Instance)
    check_parameters(complexity, max_clause_size, pricing, gap, solver)
    check_integer("random_state", random_state, 0)
    check_finite("pricing_time_limit", pricing_time_limit, 0.0)
    options = Options(complexity, max_clause_size, pricing, pricing_time_limit, gap, solver, random_state)
    clock = Clock(checked_limit(time_limit))
    watch = Watch("learn", clock, verbose=verbose, callback=callback)
    ended = learn_within(instance, options, clock, watch, watch.tell)
    if ended.early:
        watch.warn(ended.learned.loss, ended.learned.lower_bound, limit=ended.cause)
    return ended.learned


@cache
def compile_kernels() -> None:
    """Learn a tiny rule set, once in a process: for trials that measure seconds."""
    rng = np.random.default_rng(1)
    codes, y = rng.integers(2, size=(30, 6)), rng.random(30) < 0.5
    # The gap of this one takes an enumeration to close, so that all kernels are called but those on bitsets.
    learn(Instance.from_codes(codes, y, Literals.binary(tuple("abcdef"))), 4, time_limit=None)
    small, clock = Instance.from_codes(codes[:, :3], y, Literals.binary(tuple("abc"))), Clock(None)
    learn_exactly(
        small,
        Limits.none(small),
        Options(4),
        clock,
        Watch("", clock),
        lambda loss, bound: None,
        zero_one=True,
    )
    cells = np.arange(ROWS_FOR_BITSETS)[:, None] >> np.arange(ROWS_FOR_BITSETS.bit_length()) & 1
    names = tuple(f"x{a}" for a in range(cells.shape[1]))
    many = Instance.from_codes(cells, cells.sum(axis=1) % 2 == 0, Literals.binary(names))
    Search(many, 2).best(Duals.left_by(many, []))
