"""How far a run is: a bar in a terminal, and a line from time to time where messages go to a file."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm import tqdm

__all__ = ["LINE_SECONDS", "progress"]

LINE_SECONDS = 20.0
"""Between two lines; a run that ends before the first says nothing."""
log = logging.getLogger(__name__)


@contextmanager
def progress(name: str, total: int, bar: bool | None = None) -> Iterator[Callable[[], None]]:
    """Show how many trials are done, while the ``with`` lasts.

    Parameters
    ----------
    name : str
    total : int
        Number of trials.
    bar : bool, optional
        Whether a bar is drawn; by default where stderr is a terminal. Without one lines are logged (level INFO).

    Yields
    ------
    callable
        To be called after each trial.
    """
    done = 0
    drawn = sys.stderr.isatty() if bar is None else bar
    ended, started = threading.Event(), time.monotonic()

    def say() -> None:
        while not ended.wait(LINE_SECONDS):
            if drawn:
                shown.refresh()  # the time goes on while a long trial does
            else:
                log.info("%s: %d of %d trials, %.0f s", name, done, total, time.monotonic() - started)

    def step() -> None:
        nonlocal done
        done += 1
        shown.update()

    with tqdm(total=total, desc=name, disable=not drawn, unit="trial") as shown:
        speaker = threading.Thread(target=say, daemon=True)
        speaker.start()
        try:
            yield step
        finally:
            ended.set()
            speaker.join()
