"""The workers of a Dask cluster as a place where trials run."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from compactml.study.errors import SchedulerError
from compactml.study.running.limits import WHERE_ROOM
from compactml.study.running.worker import (
    Failure,
    Order,
    Outcome,
    Refusal,
    carry_out,
    in_one_line,
    last_of_traceback,
)

__all__ = ["Cluster"]

CONNECT_SECONDS = 20
LOOK_SECONDS = 0.5  # how often the number of workers is looked up
ALONE_SECONDS = 60.0  # how long to wait for a worker when all are gone
LOUD = ("distributed", "tornado", "asyncio")  # loggers that tell a lost connection in tracebacks
log = logging.getLogger(__name__)


class Cluster:
    """A Dask cluster that may grow and shrink; about two trials wait for each of its threads, all others here.

    Dask starts a task again whose worker died, up to four times: each start is marked on the scheduler, and a second
    one only says that the first had no end.

    Parameters
    ----------
    scheduler : str
        Address.

    Raises
    ------
    SchedulerError
        ``distributed`` is not installed, this is no address, ``tls://`` has no certificates, the scheduler cannot be
        reached, or no worker registers.
    """

    def __init__(self, scheduler: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise SchedulerError(scheduler, "the package 'distributed' is not installed") from None
        self.scheduler = scheduler
        self._refusing: dict[str, tuple[str, ...]] = {}
        self._threads: dict[str, int] = {}
        self._looked = self._seen = 0.0
        self._resident: float | None = None
        self._marks: dict[Any, str] = {}
        _check_address(scheduler)
        try:
            self._client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise SchedulerError(scheduler, str(error)) from error
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError) as error:
            self._client.close()
            raise SchedulerError(scheduler, "no worker has registered") from error
        self._look()
        self._silence = ExitStack()
        self._silence.enter_context(silenced())

    def free(self, flying: int) -> bool:
        """Return whether fewer than two trials are under way for each thread that takes part."""
        self._look()
        return flying < 2 * sum(self._taking_part().values())

    def submit(self, order: Order) -> Any:
        """Hand a trial to the scheduler, for any worker that has not refused one."""
        mark = f"compactml-{uuid.uuid4().hex}"
        chosen = list(self._taking_part()) if self._refusing else None
        future = self._client.submit(started, order, mark, key=mark, pure=False, workers=chosen)
        self._marks[future] = mark
        return future

    def ended(self, flying: list[Any]) -> list[Any]:
        """Wait for a moment at most."""
        from distributed import wait

        self._look()
        if not flying:
            time.sleep(LOOK_SECONDS)
            return []
        try:
            with self._client.as_current():
                return list(wait(flying, timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED").done)
        except TimeoutError:
            return []
        except CancelledError as error:
            raise self._lost() from error

    def outcome(self, ended: Any, order: Order) -> Outcome | None:
        """Return what a worker sent, or None where it died."""
        from distributed import Event, KilledWorker

        mark = self._marks.pop(ended)
        try:
            sent: Outcome | None = ended.result()
            ended.release()  # otherwise Dask runs it again when the worker dies that holds the result
            Event(mark, client=self._client).clear()
        except KilledWorker:
            return None
        except (CancelledError, OSError) as error:
            raise self._lost() from error
        except Exception as error:  # its worker cannot read the order, say
            return Failure(order.trial, f"on a worker: {in_one_line(error)}", stack=last_of_traceback())
        return sent

    def refused(self, refusal: Refusal) -> bool:
        """Leave a worker out from now on that has refused a trial.

        Raises
        ------
        SchedulerError
            It was the last one.
        """
        if refusal.worker not in self._refusing:
            log.warning("worker %s is left out: %s", refusal.worker, "; ".join(refusal.differences))
            self._refusing[refusal.worker] = refusal.differences
        self._looked = 0.0
        self._look()
        if not self._taking_part():
            raise SchedulerError(self.scheduler, f"every worker refuses ({'; '.join(refusal.differences)})")
        return True

    def death(self, order: Order) -> Failure:
        """Say what is known of a worker that died: Dask does not pass on the signal."""
        size = "" if self._resident is None else f" (last resident size of a worker {self._resident:.0f} MiB)"
        error = f"killed its worker twice, the second time alone{size}; {WHERE_ROOM}"
        return Failure(order.trial, error, resident_mib=self._resident)

    def close(self) -> None:
        """Leave the cluster; what is still under way is cancelled."""
        with self._silence:
            self._client.cancel(list(self._marks))
            self._client.close()

    def _taking_part(self) -> dict[str, int]:
        return {name: threads for name, threads in self._threads.items() if name not in self._refusing}

    def _look(self) -> None:
        """Look up who is there, twice a second, and say so whenever it changes.

        Raises
        ------
        SchedulerError
            Nobody has been there for a minute.
        """
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        try:
            # `scheduler_info` may return what the client has looked up meanwhile for itself: no worker
            scheduler: Any = self._client.scheduler
            workers = self._client.sync(scheduler.identity, n_workers=-1)["workers"]
        except OSError as error:
            raise self._lost() from error
        before = len(self._taking_part())
        self._threads = {name: int(one["nthreads"]) for name, one in workers.items()}
        sizes = [
            float(one["metrics"].get("memory", 0)) / 2**20 for one in workers.values() if one.get("metrics")
        ]
        self._resident = max(sizes, default=self._resident)
        if workers:
            self._seen = now
        elif now - self._seen > ALONE_SECONDS:
            raise SchedulerError(self.scheduler, "all its workers are gone; finished trials are kept")
        n = len(self._taking_part())
        if n != before:
            log.info("%d workers take part, with %d threads", n, sum(self._taking_part().values()))

    def _lost(self) -> SchedulerError:
        return SchedulerError(self.scheduler, "the connection is lost; finished trials are kept")


@contextmanager
def silenced() -> Iterator[None]:
    """Have the client's libraries log nothing: what matters of it is said here, in one line."""
    below = tuple(f"{name}." for name in LOUD)  # some of these loggers have levels or handlers of their own
    names = [*LOUD, *(name for name in logging.root.manager.loggerDict if name.startswith(below))]
    levels = {logger: logger.level for logger in map(logging.getLogger, names)}
    try:
        for logger in levels:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


def _check_address(scheduler: str) -> None:
    """Refuse what a client would only fail at half-made, which it then tells in tracebacks when it is thrown away.

    Raises
    ------
    SchedulerError
    """
    from distributed import Security
    from distributed.comm.addressing import parse_address
    from distributed.comm.registry import get_backend

    try:
        scheme, _ = parse_address(scheduler, strict=True)
        get_backend(scheme)
    except ValueError as error:
        raise SchedulerError(scheduler, str(error)) from error
    given: Any = Security()  # as the variables say
    files = {
        "CA_FILE": given.tls_ca_file,
        "CLIENT__CERT": given.tls_client_cert,
        "CLIENT__KEY": given.tls_client_key,
    }
    told = ", ".join(f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name, file in files.items() if not file)
    if scheme == "tls" and told:
        raise SchedulerError(scheduler, f"tls:// needs certificates, and {told} name none")


def started(order: Order, mark: str) -> Outcome | None:
    """On a worker: run a trial, unless it was started before, whose worker died then; return None in that case."""
    from distributed import Event, get_client, get_worker

    event = Event(mark, client=get_client())
    if event.is_set():
        return None
    event.set()
    outcome = carry_out(order)
    return replace(outcome, worker=get_worker().address) if isinstance(outcome, Refusal) else outcome
