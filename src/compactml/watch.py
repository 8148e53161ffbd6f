"""What the caller of a long run sees of it: news while it runs, a warning when something ended it early."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from compactml.clock import COMPILING, Clock
from compactml.errors import InvalidParameterError, check_finite

__all__ = ["EndedEarlyWarning", "News", "Watch", "checked_limit", "is_recorded", "recorded"]

_RECORDED: ContextVar[bool] = ContextVar("recorded", default=False)


class EndedEarlyWarning(ConvergenceWarning):
    """A limit or an interrupt ended the work: the answer is the best so far, with its proved bound."""


@dataclass(frozen=True)
class News:
    """Best value and proved bound after some seconds.

    Attributes
    ----------
    value, bound : float
        In the units of what is minimised or maximised; infinite before the first.
    gap : float
        ``abs(value - bound) / abs(value)``; 0 says proved, infinite that nothing is known.
    seconds : float
        Since the start.
    """

    value: float
    bound: float
    gap: float
    seconds: float


Callback = Callable[[News], Any]


def gap_of(value: float, bound: float) -> float:
    """Return ``abs(value - bound) / abs(value)``: 0 where they meet, infinite where one of them is missing."""
    if value == bound:
        return 0.0
    missing = abs(value - bound)
    return missing / abs(value) if value and math.isfinite(value) and math.isfinite(missing) else math.inf


class Watch:
    """Tells the caller of a run what it reached, and keeps its best answer when it is interrupted.

    Parameters
    ----------
    name : str
        What runs, for the lines and the warning: ``BooleanRuleClassifier``.
    clock : Clock
        Started when the run was.
    verbose : bool, default False
        Print a line for each change of value or bound.
    callback : callable (News) -> object, optional
        Called at each change of value or bound; what it returns is ignored, what it raises ends the run.
    keep : bool, default False
        Whether Ctrl-C ends the work and keeps the best answer so far, rather than ending the call. A run that is
        recorded never does so, see `recorded`.

    Attributes
    ----------
    interrupted : bool
        Whether Ctrl-C ended the work.
    """

    def __init__(
        self,
        name: str,
        clock: Clock,
        *,
        verbose: bool = False,
        callback: Callback | None = None,
        keep: bool = False,
    ) -> None:
        if not isinstance(verbose, bool):
            raise InvalidParameterError("verbose", "True or False", verbose)
        if callback is not None and not callable(callback):
            raise InvalidParameterError("callback", "a function of one argument, or None", callback)
        self.name, self.clock, self.verbose, self.callback, self.keep = name, clock, verbose, callback, keep
        self.interrupted = False
        self._last: tuple[float, float] | None = None

    @classmethod
    def of_fit(cls, estimator: Any, clock: Clock) -> Watch:
        """Return the watch of an estimator's fit, which keeps its best answer, by its ``verbose`` and ``callback``."""
        name, verbose, callback = type(estimator).__name__, estimator.verbose, estimator.callback
        return cls(name, clock, verbose=verbose, callback=callback, keep=True)

    def tell(self, value: float, bound: float) -> None:
        """Report value and bound, if one of them has changed."""
        if (value, bound) == self._last:
            return
        self._last = (value, bound)
        if not self.verbose and self.callback is None:
            return
        news = News(value, bound, gap_of(value, bound), self.clock.seconds)
        if self.verbose:
            print(
                f"{self.name}: value {value:g}, bound {bound:g}, gap {news.gap:.2%}, {news.seconds:.1f} s",
                flush=True,
            )
        if self.callback is not None:
            self.callback(news)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Run a block that Ctrl-C may end where ``keep`` is set; what follows returns the best answer so far."""
        try:
            yield
        except (KeyboardInterrupt, SystemError) as error:
            COMPILING.leave()  # nothing else ends what an interrupt left in between
            # compiled code that is left by Ctrl-C ends with a SystemError, whose cause is the interrupt
            interrupt = error if isinstance(error, KeyboardInterrupt) else error.__cause__
            if not isinstance(interrupt, KeyboardInterrupt):
                raise
            if not self.keep or _RECORDED.get():
                raise interrupt from None
            self.interrupted = True

    def finish(self, step: Callable[[], object]) -> None:
        """Run the short last step behind an answer, once more where Ctrl-C ended it: the answer is not lost."""
        done = False
        with self.interruptible():
            step()
            done = True
        if not done:
            step()

    def warn(self, value: float, bound: float, *, limit: str | None = None) -> None:
        """Warn that a limit, or Ctrl-C, ended the work before its end.

        Parameters
        ----------
        value, bound : float
        limit : str, optional
            What ended it where it was not Ctrl-C; by default ``time_limit`` with its seconds.
        """
        if _RECORDED.get():  # its row says so
            return
        cause = "an interrupt" if self.interrupted else limit or f"time_limit={self.clock.limit:g} s"
        gap = gap_of(value, bound)
        distance = "no gap is known" if math.isinf(gap) else f"gap {gap:.2%}"
        warnings.warn(
            f"{self.name}: {cause} ended the work after {self.clock.seconds:.1f} s; the answer is the best so far: "
            f"value {value:g}, proved bound {bound:g}, {distance}.",
            EndedEarlyWarning,
            stacklevel=3,
        )


@contextmanager
def recorded() -> Iterator[None]:
    """Run a trial whose row says what ended it: without warnings, and an interrupt ends it without an answer."""
    token = _RECORDED.set(True)
    try:
        yield
    finally:
        _RECORDED.reset(token)


def is_recorded() -> bool:
    """Return whether this runs inside `recorded`, where a row says what a warning would say."""
    return _RECORDED.get()


def checked_limit(time_limit: Any) -> float | None:
    """Return a limit in seconds, None for none, or raise `InvalidParameterError`."""
    return None if time_limit is None else check_finite("time_limit", time_limit, 0.0)
