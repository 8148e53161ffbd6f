"""The trial that asks for a second opinion on another one, and the opinion for which no solver is asked."""

from __future__ import annotations

from dataclasses import replace

from compactml.solvers import Opinion, Verdict
from compactml.study.running.opinions import Heard
from compactml.study.trial import Scalar, Trial

__all__ = ["KIND", "LIMIT", "not_asked", "opinion_trial"]

KIND = "opinion"
"""Kind of such trials, in every chapter."""
LIMIT = 60.0
"""Seconds where the original has no limit."""


def opinion_trial(trial: Trial, solver: str | None, stated: Scalar, **asked: Scalar) -> Trial:
    """Return the trial that asks for a second opinion on another one, within the same limit.

    Parameters
    ----------
    trial : Trial
        The one that it is about; its parameters are kept, and ``of`` is its kind.
    solver : str or None
        The one that gave the result and is not asked: ``not_by``.
    stated : scalar
        The value that is called optimal.
    **asked : scalar
        What else of the result is needed to rebuild its program.
    """
    more: dict[str, Scalar] = {"of": trial.kind, "stated": stated, "not_by": solver, **asked}
    limit = LIMIT if trial.time_limit is None else trial.time_limit
    return replace(trial, kind=KIND, parameters=(*trial.parameters, *more.items()), time_limit=limit)


def not_asked(verdict: Verdict, reason: str) -> Heard:
    """Return an opinion for which no solver was needed, or that none could give."""
    return Heard.of(Opinion(verdict, None, None, None, None, reason, 0.0))
