"""Runs on one store share the work: each takes what nobody holds, and waits for what another one has begun."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from contextlib import closing
from types import TracebackType
from typing import Self

from compactml.study.errors import StoreError, StoreLocked
from compactml.study.storing import leases
from compactml.study.storing.leases import Lease, Run
from compactml.study.storing.rows import FailedRow, Row
from compactml.study.storing.store import Store

__all__ = ["Sharing"]

TRY_SECONDS = 2.0  # how long a trial waits for its lease where another program holds the file
UNSHARED_SECONDS = 30.0  # for how long no lease is asked for after that
log = logging.getLogger(__name__)


class Sharing:
    """A run's leases, which end with the ``with``; meanwhile a thread says from time to time that the run lives.

    Where another program holds the file, trials are run without leases: to do one twice is better than to stand still.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self.run = Run.here()
        self._store = store
        self._failed_before = {row.key: row for row in store.failures()}
        self._unshared_until = 0.0
        self._ended = threading.Event()
        self._beating = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Self:
        self._beating.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._beating.join()
        try:
            with self._store.patience(TRY_SECONDS):
                self._store.release(self.run)
        except StoreError as trouble:  # a lease of a process that is gone is none
            log.debug("leases were not given back: %s", trouble)

    def ask(self, key: str) -> Row | FailedRow | Lease | None:
        """Return what other runs have made of a trial since this one began; None where it is this one's turn.

        Returns
        -------
        Row, FailedRow, Lease or None
            Its result; its failure, if it failed there; who runs it now. None: it is leased to this run.
        """
        try:
            with self._store.patience(TRY_SECONDS):
                return self._look(key) if time.monotonic() < self._unshared_until else self._taken(key)
        except StoreLocked:
            self._unshared_until = time.monotonic() + UNSHARED_SECONDS
            return None

    def _look(self, key: str) -> Row | FailedRow | None:
        row = self._store.get(key)
        if row is not None:
            return row
        failed = self._store.failure(key)
        return None if failed == self._failed_before.get(key) else failed

    def _taken(self, key: str) -> Row | FailedRow | Lease | None:
        theirs = self._look(key) or self._store.lease(key, self.run)
        if theirs is None:
            theirs = self._look(key)  # its run may have written it just before the lease was taken
            if theirs is not None:
                self._store.release(self.run, [key])
        return theirs

    def _beat(self) -> None:
        """Give a sign of life, over a connection of this thread's own."""
        while not self._ended.wait(leases.BEAT_SECONDS):
            try:
                with closing(sqlite3.connect(self._store.path, isolation_level=None)) as connection:
                    connection.execute("PRAGMA synchronous = NORMAL")
                    leases.beat(connection, self.run)
            except sqlite3.Error as error:
                log.debug("no sign of life was given: %s", error)
