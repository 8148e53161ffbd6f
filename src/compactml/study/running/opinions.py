"""Second opinions: what another solver says of the values that a table calls optimal. Each is a trial of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from compactml.solvers import Opinion, Verdict
from compactml.study.chapter import Chapter
from compactml.study.errors import Refuted, TrialsFailed
from compactml.study.running.worker import Finished
from compactml.study.trial import Trial

__all__ = ["Heard", "check_not_refuted", "opinion_trials", "solver_of", "with_opinions"]

Run = Callable[[Sequence[Trial]], list[Finished]]


@dataclass(frozen=True)
class Heard:
    """What a trial returns that asks for a second opinion: a `compactml.solvers.Opinion` as plain values."""

    verdict: str
    solver: str | None
    value: float | None
    bound: float | None
    reason: str
    seconds: float

    @classmethod
    def of(cls, opinion: Opinion) -> Heard:
        """Return an opinion as plain values."""
        return cls(**opinion.as_dict())  # type: ignore[arg-type]


def solver_of(finished: Finished) -> str | None:
    """Return the solver that gave a result: the one that answered most often; None where none was asked."""
    answers = {one["solver"]: one["answers"] for one in finished.provenance.backends}
    return max(sorted(answers), key=answers.__getitem__) if answers else None


def opinion_trials(chapter: Chapter, finished: Iterable[Finished]) -> dict[Trial, Trial]:
    """Return the trials that ask for second opinions, by the trial that each is about.

    Parameters
    ----------
    chapter : Chapter
        One without `Chapter.opinion` has none.
    finished : iterable of Finished
    """
    if chapter.opinion is None:
        return {}
    asked = {item.trial: chapter.opinion(item.trial, item.result, solver_of(item)) for item in finished}
    return {trial: opinion for trial, opinion in asked.items() if opinion is not None}


def with_opinions(chapter: Chapter, finished: Sequence[Finished], run: Run) -> list[Finished]:
    """Return finished trials with what another solver says of those that a table calls optimal.

    Parameters
    ----------
    chapter : Chapter
    finished : sequence of Finished
    run : callable
        Runs trials, as `engine.run` does; an opinion that fails refutes nothing, and the failure
        is its reason.

    Returns
    -------
    list of Finished
        In the same order, `Finished.opinion` set where there is one: ``verdict``, ``solver``, ``value``, ``bound``,
        ``reason``, ``seconds`` and ``run_id`` of the trial that asked. A recorded one stays.
    """
    asked = opinion_trials(chapter, [item for item in finished if item.opinion is None])
    trials, failures = list(dict.fromkeys(asked.values())), dict[str, str]()
    try:
        given = run(trials)
    except TrialsFailed as error:
        failures = dict(error.failures)
        given = run([trial for trial in trials if trial.label() not in failures])
    by_trial = {item.trial: item for item in given}
    return [_with_opinion(item, asked.get(item.trial), by_trial, failures) for item in finished]


def check_not_refuted(finished: Iterable[Finished]) -> None:
    """Refuse results of which another solver has shown one to be wrong.

    Raises
    ------
    Refuted
    """
    wrong = [item for item in finished if item.opinion and item.opinion["verdict"] == Verdict.REFUTED]
    if wrong:
        raise Refuted([(item.trial.label(), _told(item.opinion)) for item in wrong if item.opinion])


def _with_opinion(
    item: Finished, trial: Trial | None, given: dict[Trial, Finished], failures: dict[str, str]
) -> Finished:
    if trial is None:
        return item
    opinion = given.get(trial)
    if opinion is None:
        return replace(item, opinion=_nothing(failures.get(trial.label(), "its data are not at hand")))
    return replace(item, opinion={**opinion.result, "run_id": opinion.provenance.run_id})


def _nothing(reason: str) -> dict[str, Any]:
    """What counts as said where no opinion came."""
    return {
        "verdict": str(Verdict.NOT_REFUTED),
        "solver": None,
        "value": None,
        "bound": None,
        "reason": reason,
        "seconds": 0.0,
        "run_id": "",
    }


def _told(opinion: dict[str, Any]) -> str:
    return f"{opinion['solver']} says {opinion['value']} with bound {opinion['bound']}: {opinion['reason']}"
