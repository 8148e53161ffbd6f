"""The engine: look up what is stored, run the rest, store each result as it arrives."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace

import joblib

from compactml.datasets import ChecksumMismatch, DatasetMismatch
from compactml.errors import InvalidParameterError
from compactml.study.chapter import Chapter
from compactml.study.errors import TrialsFailed
from compactml.study.keys.fingerprint import DataIdentity, KeyParts, key_parts, trial_data
from compactml.study.profile import Profile
from compactml.study.running.cluster import Cluster
from compactml.study.running.execution import Here, Processes
from compactml.study.running.limits import TrialLimits
from compactml.study.running.progress import progress as shown_progress
from compactml.study.running.provenance import Provenance
from compactml.study.running.queueing import Place, outcomes
from compactml.study.running.worker import Failure, Finished, Order, in_one_line
from compactml.study.storing.leases import Lease
from compactml.study.storing.outbox import Outbox
from compactml.study.storing.rows import FailedRow, Row, failure_entry, result_entry
from compactml.study.storing.sharing import Sharing
from compactml.study.storing.store import Store
from compactml.study.trial import Trial

__all__ = ["Finished", "Plan", "lacking", "plan", "run", "workers"]

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
        Those whose data, or whose environment, are missing; they are left out of a run.
    unusable : dict of Trial to str
        Those whose data are at hand and not the registered ones, and what is wrong with them; they fail.
    """

    keys: dict[Trial, str]
    parts: dict[Trial, KeyParts]
    stored: dict[Trial, Row]
    to_run: list[Trial]
    not_at_hand: list[Trial]
    unusable: dict[Trial, str] = field(default_factory=dict)


def plan(chapter: Chapter, trials: Sequence[Trial], store: Store) -> Plan:
    """Return which trials are stored, which must be run and which lack their data, or have others."""
    data: dict[Trial, DataIdentity] = {}
    unusable: dict[Trial, str] = {}
    refusals: dict[str, str] = {}  # of each dataset: a corrupt file is read once, not once a trial
    for trial in dict.fromkeys(trials):
        if trial.dataset not in refusals:
            try:
                data[trial] = trial_data(trial, chapter.generated(trial))
                continue
            except (ChecksumMismatch, DatasetMismatch) as error:
                refusals[trial.dataset] = in_one_line(error)
        unusable[trial] = refusals[trial.dataset]
    shared: dict[tuple[str, DataIdentity], KeyParts] = {}
    parts: dict[Trial, KeyParts] = {}
    for trial, identity in data.items():
        kind = chapter.kind(trial)
        if identity.at_hand and kind.ready:
            same = trial.kind, identity
            if same not in shared:
                shared[same] = key_parts(kind.run, identity, kind.environment)
            parts[trial] = shared[same]
    keys = {trial: own.key(trial) for trial, own in parts.items()}
    found = {trial: store.get(key) for trial, key in keys.items()}
    stored = {trial: row for trial, row in found.items() if row is not None}
    to_run = sorted((trial for trial in keys if trial not in stored), key=chapter.cost, reverse=True)
    missing = [trial for trial in data if trial not in keys]
    return Plan(keys, parts, stored, to_run, missing, unusable)


def run(
    chapter: Chapter,
    trials: Sequence[Trial],
    *,
    store: Store,
    jobs: int = 1,
    apart: bool = False,
    scheduler: str | None = None,
    progress: bool | None = None,
    profile: Profile | None = None,
    skip_failed: bool = False,
    limits: TrialLimits | None = None,
) -> list[Finished]:
    """Return the results of trials, from the store or by running them.

    Parameters
    ----------
    chapter : Chapter
    trials : sequence of Trial
    store : Store
        Asked first; every new result is written to it as soon as it is there, or as another process lets go of it.
        Runs on one store share the work: what another one has begun is waited for.
    jobs : int
        Worker processes with one thread each; -1 takes all processors. A trial that kills a worker process is tried
        again alone and then listed as failed.
    apart : bool
        Start a worker process even where one trial at a time is run. Without it, as in a notebook of few short trials,
        those run in this process: that saves a second or two, and a trial that kills it ends the run.
    scheduler : str, optional
        Address of a Dask scheduler ("tcp://...") whose workers run the trials instead; ``jobs`` is then
        left to the cluster.
    progress : bool, optional
        Progress bar on stderr; by default only where stderr is a terminal, else a line is logged from time to time.
    profile : Profile, optional
        Written to the provenance of new results.
    skip_failed : bool
        Leave out the trials that failed when they were last tried; without it they are tried again.
    limits : TrialLimits, optional
        A trial that takes more is ended and listed as failed; each then has a worker process of this machine.

    Returns
    -------
    list of Finished
        In the order of ``trials``; trials whose data are not at hand, or that are skipped, are left out (and logged).

    Raises
    ------
    TrialsFailed
        Some trials raised an error, killed their process, or have data that are not the registered ones. All others
        were run first and are kept.
    SchedulerError
        The scheduler cannot be reached or is lost, ``distributed`` is not installed, or no worker is left that has
        the code, libraries, solvers and data of this process.
    StoreError
        It cannot be written; results that are not in it are in a file beside it, see `compactml.study.storing.rescue`.
    InvalidParameterError
        ``jobs`` is zero, or ``limits`` are given with a scheduler, whose workers have their own.
    """
    workers(jobs)
    if limits is not None and scheduler is not None:
        allowed = "None with a scheduler, whose workers have their own (dask worker --memory-limit; no limit of time)"
        raise InvalidParameterError("limits", allowed, limits)
    planned = plan(chapter, trials, store)
    for name in sorted({lacking(chapter, trial) for trial in planned.not_at_hand}):
        log.warning("%s is not at hand: its trials are left out", name)
    done = {trial: _from_row(trial, row) for trial, row in planned.stored.items()}
    if skip_failed:
        planned = _without_failed(planned, store)
    failures = dict(planned.unusable)
    n = len(planned.to_run)

    def settle(trial: Trial, theirs: Row | FailedRow) -> None:
        """Take note of what another run has made of a trial."""
        step()
        if isinstance(theirs, Row):
            done[trial] = _from_row(trial, theirs)
        else:
            failures[trial] = f"in another run: {theirs.failure['error']}"

    with (
        shown_progress(chapter.name, n, progress) as step,
        Sharing(store) as shared,
        Outbox(store, shared.run) as outbox,
        _place(n, jobs, apart, scheduler, limits) as place,
    ):
        for outcome in outcomes(place, _orders(chapter, planned, profile, shared, settle)):
            step()
            key = planned.keys[outcome.trial]
            if isinstance(outcome, Failure):
                failures[outcome.trial] = outcome.error
                outbox.put(failure_entry(key, outcome.trial, outcome.as_dict()))
                continue
            outbox.put(result_entry(key, outcome.trial, outcome.result, outcome.provenance.as_dict()))
            done[outcome.trial] = outcome
    before = set(outbox.had_before)
    for trial in [trial for trial in planned.to_run if planned.keys[trial] in before]:
        row = store.get(planned.keys[trial])
        if row is not None:  # what every later run will be given
            done[trial] = _from_row(trial, row)
            failures.pop(trial, None)  # another run has finished it meanwhile
    if failures:
        raise TrialsFailed(sorted((trial.label(), why) for trial, why in failures.items()), len(done))
    return [done[trial] for trial in trials if trial in done]


def lacking(chapter: Chapter, trial: Trial) -> str:
    """Return the name of what a trial lacks that is not at hand: its environment, or its dataset."""
    environment = chapter.kind(trial).environment
    if environment is not None and not environment.installed:
        return f"environment {environment.name}"
    return trial.dataset


def _without_failed(planned: Plan, store: Store) -> Plan:
    """Return a plan without the trials that failed in the last run that tried them."""
    failed = {row.key for row in store.failures()}
    skipped = [trial for trial in planned.to_run if planned.keys[trial] in failed]
    for trial in skipped:
        log.warning("%s: failed before and is left out", trial.label())
    return replace(planned, to_run=[trial for trial in planned.to_run if trial not in set(skipped)])


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


@contextmanager
def _place(
    n_trials: int, jobs: int, apart: bool, scheduler: str | None, limits: TrialLimits | None
) -> Iterator[Place]:
    """Open the place where trials run, and close it whatever happens."""
    one_at_a_time = workers(jobs) == 1 or n_trials < 2
    if scheduler is None and (n_trials == 0 or (one_at_a_time and not apart and limits is None)):
        yield Here()
        return
    if scheduler is not None:
        place: Cluster | Processes = Cluster(scheduler)
    else:
        n = min(workers(jobs), n_trials)
        if n > 1:
            log.info("%d worker processes take part", n)
        place = Processes(n, limits or TrialLimits())
    with closing(place):
        yield place


def _orders(
    chapter: Chapter,
    planned: Plan,
    profile: Profile | None,
    shared: Sharing,
    settle: Callable[[Trial, Row | FailedRow], None],
) -> Iterator[Order | None]:
    """Yield the trials that are to run when their turn comes, first those that no other run has begun.

    None is yielded while other runs have all that is left; what they have made of a trial is settled.
    """
    left, told = planned.to_run, False
    while left:
        held: dict[Trial, Lease] = {}
        for trial in left:
            theirs = shared.ask(planned.keys[trial])
            if isinstance(theirs, Lease):
                held[trial] = theirs
            elif theirs is not None:
                settle(trial, theirs)
            else:
                yield _order(chapter, planned, trial, profile)
        left = list(held)
        if left:
            if not told:
                others = ", ".join(sorted({str(lease.run) for lease in held.values()}))
                log.info(
                    "%d trials are under way in another run (%s): they are waited for", len(left), others
                )
                told = True
            yield None


def _order(chapter: Chapter, planned: Plan, trial: Trial, profile: Profile | None) -> Order:
    kind = chapter.kind(trial)
    generated = chapter.generated(trial)
    return Order(kind.run, trial, generated, planned.parts[trial], profile, environment=kind.environment)
