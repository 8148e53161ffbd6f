"""What a run has finished, on its way to the store: kept and tried again while another process holds the file."""

from __future__ import annotations

import logging
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from compactml.study.errors import StoreError, StoreLocked
from compactml.study.storing import rescue
from compactml.study.storing.leases import Run
from compactml.study.storing.rows import Entry
from compactml.study.storing.store import Store

__all__ = ["Outbox"]

TRY_SECONDS = 2.0  # how long a run stands still for one attempt to write
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # between two attempts; it doubles
LAST_SECONDS = 600.0  # how long the end of a run waits
log = logging.getLogger(__name__)


class Outbox:
    """Rows that are to be written to a store. Use it in a ``with``, whose end waits until they are.

    While another process holds the file, rows are kept here and in a file beside the store, so that they outlive this
    process too (see `compactml.study.storing.rescue`), and trials go on. An error ends the wait, and the file stays.
    Where a full disk has no room for it, it lies in the folder for temporary files, which may be on another one.

    Parameters
    ----------
    store : Store
    run : Run, optional
        Whose leases end with the rows of their trials.

    Attributes
    ----------
    had_before : list of str
        Keys of results that another run had written first: theirs stay.
    """

    def __init__(self, store: Store, run: Run | None = None) -> None:
        self.had_before: list[str] = []
        self._store, self._run = store, run
        self._waiting: list[Entry] = []
        self._file = rescue.new_file(store.path)
        self._pause = FIRST_PAUSE
        self._next = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._finish()
        elif self._waiting and not isinstance(error, StoreError):
            try:
                self._try()
            except StoreError as worse:
                log.warning("%s", worse)

    def put(self, entry: Entry) -> None:
        """Write a row, or keep it for later.

        Raises
        ------
        StoreError
            The store cannot be written, and not since another process holds it; the row is in a file beside it.
        """
        self._waiting.append(entry)
        if time.monotonic() >= self._next:
            self._try()
        else:
            self._keep()

    def _try(self) -> bool:
        """Try to write all that waits; returns whether it is written."""
        try:
            with self._store.patience(TRY_SECONDS):
                self.had_before += self._store.write(self._waiting, self._run)
        except StoreLocked as error:
            self._keep()
            log.warning(
                "%s %s: %d finished trials wait, and are tried again in %.0f s",
                self._store.path, error.reason, len(self._waiting), self._pause,
            )  # fmt: skip
            self._next = time.monotonic() + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            return False
        except StoreError as error:
            raise self._given_up(error.reason, error.way_out) from error
        if self._pause > FIRST_PAUSE:
            log.warning(
                "%s is free again: %d finished trials are written", self._store.path, len(self._waiting)
            )
        self._waiting, self._pause, self._next = [], FIRST_PAUSE, 0.0
        self._file.unlink(missing_ok=True)
        return True

    def _finish(self) -> None:
        """Wait until all is written.

        Raises
        ------
        StoreError
            Another process has held the file for `LAST_SECONDS`.
        """
        if not self._waiting or self._try():
            return
        log.warning("the run is over; %s may stay locked for another %.0f s", self._store.path, LAST_SECONDS)
        end = time.monotonic() + LAST_SECONDS
        while time.monotonic() < end:
            time.sleep(max(0.0, min(self._next, end) - time.monotonic()))
            if self._try():
                return
        raise self._given_up(f"another process has held it for {LAST_SECONDS:.0f} s")

    def _keep(self) -> None:
        """Write what waits beside the store, or where else there is room."""
        for file in dict.fromkeys((self._file, Path(tempfile.gettempdir(), self._file.name))):
            try:
                rescue.write(file, self._waiting)
            except OSError as error:
                log.warning("%s: %s", file, error)
            else:
                self._file = file
                return

    def _given_up(self, reason: str, *way_out: str) -> StoreError:
        self._keep()
        n = len(self._waiting)
        kept = f"{n} finished trials are in {self._file}, which whoever opens the store next takes in"
        if self._file.parent != self._store.path.parent:
            kept = (
                f"{n} finished trials are in {self._file}: move it beside the store, which then takes them in"
            )
        if not self._file.is_file():
            kept = f"{n} finished trials are lost"
        return StoreError(str(self._store.path), f"{reason}; {kept}", *way_out)
