"""What a clock decides: columns of results that no second run has again, and trials that a time limit may have ended.

Both say where a repeated trial need not give the same numbers. A column that is not named here and ought to be makes a
record start anew for nothing; one that is named and ought not to be hides a difference. So the lists are short and
written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from compactml.experiments.specification import Result
from compactml.experiments.worker import Finished

__all__ = ["DECLARED", "differing", "is_clocked", "may_be_ended_by_clock"]

WORD = "seconds"
"""A column with this word in its name is a time."""
DECLARED: Mapping[str, frozenset[str]] = {
    "condition-sharing": frozenset({"ratio", "peak_mib"}),
    "boolean-rules": frozenset({"beam", "exact_2", "exact_3", "learn"}),
    "feature-selection": frozenset(),
    "ensemble-pruning": frozenset({"history"}),
    "pace": frozenset(),
}
"""Other columns that a clock or the machine's memory decides, by chapter: quotients of times, times by other names."""
LEAST_SHARE = 0.05
"""Smallest share of its time limit that any method gives to one of its phases."""
UNSTOPPED = frozenset({"optimal", "infeasible", "unbounded"})
"""How an answer of a back end ends that no limit stopped."""
STOPPED = frozenset({"time", "time limit", "no set"})
"""What a result says of a trial that the clock ended: `ended` or `outcome`."""
FLAGS = ("timed_out", "time_limit_reached")


def is_clocked(chapter: str, column: str) -> bool:
    """Whether a clock, or the machine's memory, decides a column of a chapter's results."""
    return WORD in column.split("_") or column in DECLARED.get(chapter, ())


def may_be_ended_by_clock(item: Finished) -> bool:
    """Whether a time limit may have decided what a trial found; in doubt it may.

    A method gives shares of its limit to its phases, so that one may be cut short in a trial that is far from its
    limit. Only a trial that lasted less than the smallest share is beyond doubt.
    """
    limit, origin, result = item.trial.time_limit, item.provenance, item.result
    if limit is None:
        return False
    return (
        origin.seconds >= LEAST_SHARE * limit
        or any(status not in UNSTOPPED for one in origin.backends for status in one.get("statuses", ()))
        or any(result.get(name) for name in FLAGS)
        or any(result.get(name) in STOPPED for name in ("ended", "outcome"))
    )


def differing(chapter: str, one: Result, other: Result) -> list[str]:
    """Return the columns that no clock decides and in which two results differ, bit by bit."""
    names = [name for name in dict.fromkeys((*one, *other)) if not is_clocked(chapter, name)]
    return [
        name for name in names if name not in one or name not in other or not _same(one[name], other[name])
    ]


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)  # -0.0 and 0.0 are not the same bits
