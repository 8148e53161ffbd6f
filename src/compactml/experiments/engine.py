"""The engine: look up what is stored, run the rest with joblib, store each result as it arrives."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

import joblib
from tqdm import tqdm

from compactml.exceptions import InvalidParameterError
from compactml.experiments.errors import SchedulerError, TrialsFailed
from compactml.experiments.fingerprint import DataIdentity, KeyParts, key_parts, trial_data
from compactml.experiments.profiles import Profile
from compactml.experiments.provenance import THREADS, Provenance
from compactml.experiments.specification import Experiment, Trial
from compactml.experiments.store import Row, Store
from compactml.experiments.worker import Failure, Finished, Order, Outcome, Refusal, carry_out

__all__ = ["Finished", "Plan", "plan", "run", "workers"]

CONNECT_SECONDS = 20
WATCH_SECONDS = 0.5  # how often a worker looks whether its coordinator still lives
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Plan:
    """What a run would do.

    Attributes
    ----------
    keys : dict of Trial to str
        Key of every trial whose data are at hand, in the order asked for, without repetitions.
    parts : dict of Trial to KeyParts
        What the keys are made of.
    stored : dict of Trial to Row
        Those that the store has.
    to_run : list of Trial
        Those that it lacks, longest first.
    not_at_hand : list of Trial
        Those whose data are missing; they are left out of a run.
    """

    keys: dict[Trial, str]
    parts: dict[Trial, KeyParts]
    stored: dict[Trial, Row]
    to_run: list[Trial]
    not_at_hand: list[Trial]


def plan(experiment: Experiment, trials: Sequence[Trial], store: Store) -> Plan:
    """Return which trials are stored, which must be run and which lack their data."""
    data = {trial: trial_data(experiment, trial) for trial in dict.fromkeys(trials)}
    shared: dict[tuple[str, DataIdentity], KeyParts] = {}
    parts: dict[Trial, KeyParts] = {}
    for trial, identity in data.items():
        if identity.at_hand:
            same = trial.kind, identity
            if same not in shared:
                shared[same] = key_parts(experiment.kinds[trial.kind], identity)
            parts[trial] = shared[same]
    keys = {trial: own.key(trial) for trial, own in parts.items()}
    found = {trial: store.get(key) for trial, key in keys.items()}
    stored = {trial: row for trial, row in found.items() if row is not None}
    to_run = sorted((trial for trial in keys if trial not in stored), key=experiment.cost, reverse=True)
    missing = [trial for trial in data if trial not in keys]
    return Plan(keys, parts, stored, to_run, missing)


def run(
    experiment: Experiment,
    trials: Sequence[Trial],
    *,
    store: Store,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: bool | None = None,
    profile: Profile | None = None,
) -> list[Finished]:
    """Return the results of trials, from the store or by running them.

    Parameters
    ----------
    experiment : Experiment
    trials : sequence of Trial
    store : Store
        Asked first; every new result is written to it as soon as it is there.
    jobs : int
        Worker processes with one thread each; 1 runs in this process, -1 takes all processors.
    scheduler : str, optional
        Address of a Dask scheduler ("tcp://...") whose workers run the trials instead; ``jobs`` is then
        left to the cluster.
    progress : bool, optional
        Progress bar on stderr; by default only where stderr is a terminal.
    profile : Profile, optional
        Written to the provenance of new results.

    Returns
    -------
    list of Finished
        In the order of ``trials``; trials whose data are not at hand are left out (and logged).

    Raises
    ------
    TrialsFailed
        Some trials raised an error. All others were run first and are kept.
    SchedulerError
        The scheduler cannot be reached, or ``distributed`` is not installed.
    InvalidParameterError
        ``jobs`` is zero.
    """
    workers(jobs)
    planned = plan(experiment, trials, store)
    for name in sorted({trial.dataset for trial in planned.not_at_hand}):
        log.warning("dataset %s is not at hand: its trials are left out", name)
    done = {trial: _from_row(trial, row) for trial, row in planned.stored.items()}
    failures = []
    with closing(_outcomes(experiment, planned, jobs, scheduler, profile)) as outcomes:
        hidden = None if progress is None else not progress
        for outcome in tqdm(outcomes, experiment.chapter, len(planned.to_run), disable=hidden, unit="trial"):
            if isinstance(outcome, Refusal):
                outcome = Failure(outcome.trial, "; ".join(outcome.differences))
            if isinstance(outcome, Failure):
                failures.append((outcome.trial.label(), outcome.error))
                continue
            key = planned.keys[outcome.trial]
            store.put(key, outcome.trial, outcome.result, outcome.provenance.as_dict())
            done[outcome.trial] = outcome
    if failures:
        raise TrialsFailed(sorted(failures), len(done))
    return [done[trial] for trial in trials if trial in done]


def workers(jobs: int) -> int:
    """Return how many processes ``jobs`` means here.

    Raises
    ------
    InvalidParameterError
        ``jobs`` is zero.
    """
    if jobs == 0:
        raise InvalidParameterError("jobs", "a positive number, or -1 for all processors", jobs)
    return int(joblib.effective_n_jobs(jobs))


def _from_row(trial: Trial, row: Row) -> Finished:
    return Finished(trial, row.result, Provenance.read(row.provenance), cached=True)


def _outcomes(
    experiment: Experiment, planned: Plan, jobs: int, scheduler: str | None, profile: Profile | None
) -> Generator[Outcome]:
    """Yield outcomes as they come, from this process, loky workers or a Dask cluster."""
    recipes = experiment.generated or (lambda trial: None)
    orders = [
        Order(experiment.kinds[one.kind], one, recipes(one), planned.parts[one], profile)
        for one in planned.to_run
    ]
    if scheduler is None and (jobs == 1 or len(orders) < 2):
        yield from map(carry_out, orders)
        return
    with _backend(jobs, scheduler):
        # batches of one: a result is stored as soon as it is there, and the longest really start first
        parallel = joblib.Parallel(return_as="generator_unordered", batch_size=1)
        yield from parallel(map(joblib.delayed(carry_out), orders))


@contextmanager
def _backend(jobs: int, scheduler: str | None) -> Iterator[None]:
    """Make joblib use local processes, or the workers of a Dask scheduler."""
    if scheduler is None:
        with joblib.parallel_config(
            "loky",
            n_jobs=jobs,
            inner_max_num_threads=THREADS,
            initializer=_prepare_worker,
            initargs=(os.getpid(),),
        ):
            yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise SchedulerError(scheduler, "the package 'distributed' is not installed") from None
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise SchedulerError(scheduler, str(error)) from error
    with client, joblib.parallel_config("dask", client=client, n_jobs=-1):
        yield


def _prepare_worker(coordinator: int) -> None:
    """In a worker: leave Ctrl-C to the coordinating process, and end with it even if it is killed.

    Its number is handed over: once it was killed, a worker that is still starting has another parent already.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=(coordinator,), daemon=True).start()


def _end_with_parent(coordinator: int) -> None:
    while os.getppid() == coordinator:
        time.sleep(WATCH_SECONDS)
    os._exit(1)  # an orphan would go on with a trial whose result nobody stores
