"""What a clock decides: columns of results that no second run has again, and trials that a time limit may have ended.

Both say where a repeated trial need not give the same numbers. A column that is not named here and ought to be makes a
record start anew for nothing; one that is named and ought not to be hides a difference. So the lists are short and
written by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from compactml.study.profile import Profile
from compactml.study.running.worker import Finished
from compactml.study.trial import Result, Trial

__all__ = [
    "DECLARED",
    "SHARING",
    "TIMED",
    "at_their_limits",
    "counts",
    "differing",
    "ended_by_guard",
    "is_clocked",
    "is_timed",
    "limits_line",
    "may_be_ended_by_clock",
    "shares_limit",
    "together_at_their_limits",
    "was_stopped",
]

WORD = "seconds"
"""A column with this word in its name is a time."""
DECLARED: Mapping[str, frozenset[str]] = {
    "condition-sharing": frozenset({"ratio", "peak_mib", "sigma_peak_mib", "c_peak_mib"}),
    "boolean-rules": frozenset({"beam", "exact_2", "exact_3", "learn"}),
    "feature-selection": frozenset(),
    "ensemble-pruning": frozenset({"history"}),
    "pace": frozenset(),
}
"""Other columns that a clock or the machine's memory decides, by chapter: quotients of times, times by other names."""
CLOSE = 0.95
"""Share of its time limit from which on a trial may have been ended by it."""
SHARED = 0.05
"""The same for a trial whose method gives its phases shares of the limit: the smallest of them."""
SHARING: Mapping[str, frozenset[str]] = {
    "boolean-rules": frozenset(
        {"nested", "trade_off", "fico_rule", "optimum", "growth", "our_cg", "paper_cg"}
    ),
    "ensemble-pruning": frozenset({"program", "curve", "bounds"}),
    "pace": frozenset({"compress", "merge", "reading", "recheck", "refit", "scale", "sized"}),
}
"""Kinds of trials with such methods, by chapter, where a phase that was cut short leaves no other mark: column
generation and the proofs and searches behind it (`compactml.boolean_rules.learning`), local search, relaxation and
first tree (`compactml.ensemble_pruning.pruning`; "bounds" shares its limit itself), the first pruning
(`compactml.pace.compress`). "nested", "our_cg" and "paper_cg" fit several models with the limit each, which their
seconds add up."""
TIMED: Mapping[str, frozenset[str]] = {
    "boolean-rules": frozenset({"aix360"}),
    "ensemble-pruning": frozenset({"curve"}),
}
"""Kinds of trials, by chapter, that measure what is reached within a time: a clock ends them by definition. They are
shown as they are; no printed cell is compared with them. "aix360" has our search in a tenth of another's time."""
UNSTOPPED = frozenset({"optimal", "infeasible", "unbounded"})
"""How an answer of a back end ends that no limit stopped."""
BY_CLOCK = frozenset({"time", "time limit"})
STOPPED = BY_CLOCK | {"no set"}
"""What a result says of a trial that the clock ended, or may have ended."""
ENDS = ("ended", "outcome")
"""Fields that say how a trial ended."""
FLAGS = ("timed_out", "time_limit_reached")


def is_clocked(chapter: str, column: str) -> bool:
    """Return whether a clock, or the machine's memory, decides a column of a chapter's results."""
    return WORD in column.split("_") or column in DECLARED.get(chapter, ())


def may_be_ended_by_clock(item: Finished) -> bool:
    """Return whether a time limit may have decided what a trial found; in doubt it may.

    It may in a trial that lasted nearly as long, that a back end or the result says was stopped, or that lasted longer
    than the smallest share of the limit that its method gives to a phase.
    """
    limit = item.trial.time_limit
    if limit is None:
        return False
    return was_stopped(item) or (shares_limit(item.trial) and item.provenance.seconds >= SHARED * limit)


def was_stopped(item: Finished) -> bool:
    """Return whether a time limit ended a trial: by its duration, or as a back end or the result says."""
    limit, origin, result = item.trial.time_limit, item.provenance, item.result
    return limit is not None and (
        origin.seconds >= CLOSE * limit
        or any(status not in UNSTOPPED for one in origin.backends for status in one.get("statuses", ()))
        or _says(result, STOPPED)
    )


def _says(result: Result, words: frozenset[str]) -> bool:
    """Whether a result says, by a flag or in one of some words, that a limit ended its trial."""
    return any(result.get(name) for name in FLAGS) or any(result.get(name) in words for name in ENDS)


def ended_by_guard(item: Finished) -> bool:
    """Return whether the clock may have decided what a trial of the quick profile found, whose limit is a guard.

    Its duration tells: methods that give their phases shares of the limit do so from `SHARED` of it on. Back ends do
    not, since a target or a limit on work, which stops them at the same place in every run, is no clock.
    """
    limit = item.trial.time_limit
    if limit is None or is_timed(item.trial):
        return False
    share = SHARED if shares_limit(item.trial) else CLOSE
    return item.provenance.seconds >= share * limit or _says(item.result, BY_CLOCK)


def counts(item: Finished, profile: Profile | str) -> bool:
    """Return whether a page shows and counts a trial of its profile.

    None that its limit ended while it lacked a processor, and in the quick profile none that it ended at all: so a
    loaded machine has fewer numbers and no others.
    """
    return not (item.provenance.starved or (profile == Profile.QUICK and ended_by_guard(item)))


def at_their_limits(finished: Sequence[Finished]) -> dict[str, dict[str, Any]]:
    """Return, as one entry, what is to be said of the trials that lasted as long as their limit; no entry for none.

    Returns
    -------
    dict
        ``clocked``: their number ``trials``, the ``limits`` in seconds, and the least of their ``share`` of CPU time,
        which is CPU time by wall clock; None where one trial's is not known.
    """
    ended = [
        (item.trial.time_limit, item.provenance)
        for item in finished
        if item.trial.time_limit is not None and item.provenance.seconds >= CLOSE * item.trial.time_limit
    ]
    shares = [
        None if origin.cpu_seconds is None else origin.cpu_seconds / origin.seconds for _, origin in ended
    ]
    limits = sorted({limit for limit, _ in ended})
    return {"clocked": {"trials": len(ended), "limits": limits, "share": _least(shares)}} if ended else {}


def together_at_their_limits(origins: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return that entry for the trials of several runs together."""
    every = [origin["clocked"] for origin in origins if "clocked" in origin]
    if not every:
        return {}
    return {
        "clocked": {
            "trials": sum(one["trials"] for one in every),
            "limits": sorted({limit for one in every for limit in one["limits"]}),
            "share": _least([one["share"] for one in every]),
        }
    }


def limits_line(origin: Mapping[str, Any]) -> str:
    """Return that entry in words for below a table; empty where there is none."""
    if "clocked" not in origin:
        return ""
    trials, limits, share = (origin["clocked"][name] for name in ("trials", "limits", "share"))
    at_least = "" if share is None else f" at {100 * share:.0f} % of a processor or more"
    return f"{trials} as long as their limit of {' or '.join(f'{limit:g}' for limit in limits)} s{at_least}"


def _least(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return round(min(known), 3) if known and len(known) == len(shares) else None


def is_timed(trial: Trial) -> bool:
    """Return whether a trial measures what is reached within a time."""
    return trial.kind in TIMED.get(trial.chapter, ())


def shares_limit(trial: Trial) -> bool:
    """Return whether a trial's method gives its phases shares of the time limit."""
    return trial.kind in SHARING.get(trial.chapter, ())


def differing(chapter: str, one: Result, other: Result) -> list[str]:
    """Return the columns that no clock decides and in which two results differ, bit by bit; no value is None."""
    names = [name for name in dict.fromkeys((*one, *other)) if not is_clocked(chapter, name)]
    return [name for name in names if not _same(one.get(name), other.get(name))]


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)  # -0.0 and 0.0 are not the same bits
