"""One queue of trials, the longest first, whatever the place where they run.

A trial that kills its process is tried again alone, once, when all others are done; then it is a failure, with what is
known of its end. A process whose key of a trial is another one refuses it.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterator
from typing import Any, Protocol

from compactml.study.running.worker import Failure, Finished, Order, Outcome, Refusal

__all__ = ["WATCH_SECONDS", "Place", "outcomes"]

WATCH_SECONDS = 0.5
"""How often it is looked whether something has changed that nobody tells."""
log = logging.getLogger(__name__)


class Place(Protocol):
    """Where trials run."""

    def free(self, flying: int) -> bool:
        """Return whether a further trial may be submitted while so many are under way."""

    def submit(self, order: Order) -> Any:
        """Start a trial; returns what stands for it."""

    def ended(self, flying: list[Any]) -> list[Any]:
        """Wait for a moment at most, and return those that have ended."""

    def outcome(self, ended: Any, order: Order) -> Outcome | None:
        """Return how a trial ended, or None where its process died."""

    def refused(self, refusal: Refusal) -> bool:
        """Take note of a refusal; returns whether the trial may be submitted again."""

    def death(self, order: Order) -> Failure:
        """Describe the last death of a process, while it ran this trial."""


def outcomes(place: Place, orders: Iterator[Order | None]) -> Iterator[Finished | Failure]:
    """Yield the outcomes of trials as they come; a trial is taken from ``orders`` only when it can be started.

    None in place of an order: there may be one later.
    """
    again: deque[Order] = deque()
    deadly: list[Order] = []
    flying: dict[Any, Order] = {}
    rest = True
    while rest or flying or again:
        while (again or rest) and place.free(len(flying)):
            try:
                order = again.popleft() if again else next(orders)
            except StopIteration:
                rest = False
                break
            if order is None:
                break
            flying[place.submit(order)] = order
        if rest and not flying and not again:  # others run what is left, and may wait for these in turn
            if deadly:
                yield _alone(place, deadly.pop())
            else:
                time.sleep(WATCH_SECONDS)
        for ended in place.ended(list(flying)):
            order = flying.pop(ended)
            outcome = place.outcome(ended, order)
            if outcome is None:
                log.warning("%s: its process died; it is tried again alone at the end", order.trial.label())
                deadly.append(order)
            elif not isinstance(outcome, Refusal):
                yield outcome
            elif place.refused(outcome):
                again.append(order)
            else:
                yield _refused(order, outcome)
    for order in deadly:
        yield _alone(place, order)


def _alone(place: Place, order: Order) -> Finished | Failure:
    """Run a trial while no other one runs."""
    while True:
        started = place.submit(order)
        ended: list[Any] = []
        while not ended:
            ended = place.ended([started])
        outcome = place.outcome(started, order)
        if outcome is None:
            return place.death(order)
        if not isinstance(outcome, Refusal):
            return outcome
        if not place.refused(outcome):
            return _refused(order, outcome)


def _refused(order: Order, refusal: Refusal) -> Failure:
    """Say why no process runs a trial, and what to do."""
    return Failure(
        order.trial,
        f"refused: {'; '.join(refusal.differences)}; run it again once both sides are the same",
    )
