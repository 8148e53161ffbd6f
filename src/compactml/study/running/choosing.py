"""Part of a table's trials, or the same trials with another seed or time limit, as a command asks for them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from types import CodeType, FunctionType
from typing import Any

from compactml.errors import InvalidParameterError, check_finite, check_integer
from compactml.study.chapter import Chapter
from compactml.study.trial import Trial

__all__ = ["Choice", "reads_seed"]


@dataclass(frozen=True)
class Choice:
    """What a command asks of a table's trials.

    Attributes
    ----------
    datasets : tuple of str
        Named as the table or as their files name them; all if none is named.
    methods : tuple of str
        As the trials spell them; all if none is named.
    seed : int or None
        In place of the trials' own seeds, so that several repetitions become one.
    time_limit : float or None
        Seconds, in place of the limits of the trials that have one.
    """

    datasets: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    seed: int | None = None
    time_limit: float | None = None

    @property
    def recordable(self) -> bool:
        """Whether the chosen trials are the profile's own, whole datasets of them."""
        return not self.methods and self.seed is None and self.time_limit is None

    def of(self, chapter: Chapter, table: str, trials: Sequence[Trial]) -> list[Trial]:
        """Return the chosen trials.

        Raises
        ------
        InvalidParameterError
            A dataset or method that the table does not have, or a seed or limit that none of its trials looks at.
        """
        chosen = self._of_methods(table, self._of_datasets(chapter, table, trials))
        if self.seed is not None:
            chosen = _with_seed(chapter, table, chosen, self.seed)
        if self.time_limit is not None:
            chosen = _with_limit(table, chosen, self.time_limit)
        return list(dict.fromkeys(chosen))

    def _of_datasets(self, chapter: Chapter, table: str, trials: Sequence[Trial]) -> list[Trial]:
        if not self.datasets:
            return list(trials)
        keys = {name: chapter.table(table).datasets.get(name, name) for name in self.datasets}
        there = {trial.dataset for trial in trials}
        for name, key in keys.items():
            if key not in there:
                names = [name for name, key in chapter.table(table).datasets.items() if key in there]
                raise InvalidParameterError("--dataset", f"one of {table}: {names or sorted(there)}", name)
        return [trial for trial in trials if trial.dataset in set(keys.values())]

    def _of_methods(self, table: str, trials: Sequence[Trial]) -> list[Trial]:
        if not self.methods:
            return list(trials)
        there = dict.fromkeys(trial.method for trial in trials)
        for name in self.methods:
            if name not in there or not name:
                allowed = [method for method in there if method] or "none: its trials name no method"
                raise InvalidParameterError("--method", f"one of {table}: {allowed}", name)
        return [trial for trial in trials if trial.method in self.methods]


def _with_seed(chapter: Chapter, table: str, trials: Sequence[Trial], seed: int) -> list[Trial]:
    check_integer("--seed", seed, 0)
    reading = {trial.kind for trial in trials if reads_seed(chapter, trial)}
    if not reading:
        raise InvalidParameterError(
            "--seed", f"left out for {table}: none of its trials draws anything", seed
        )
    return [replace(trial, seed=seed) if trial.kind in reading else trial for trial in trials]


def _with_limit(table: str, trials: Sequence[Trial], limit: float) -> list[Trial]:
    if check_finite("--time-limit", limit, 0) == 0:
        raise InvalidParameterError("--time-limit", "a positive number of seconds", limit)
    if all(trial.time_limit is None for trial in trials):
        raise InvalidParameterError("--time-limit", f"left out for {table}: its trials have no limit", limit)
    return [
        trial if trial.time_limit is None else replace(trial, time_limit=float(limit)) for trial in trials
    ]


def reads_seed(chapter: Chapter, trial: Trial) -> bool:
    """Return whether the function of a trial's kind, or one of its chapter that it reaches, reads a ``seed``."""
    return _reads_seed(chapter.kind(trial).run)


@cache
def _reads_seed(function: Callable[..., Any]) -> bool:
    package = function.__module__.rpartition(".trials")[0] or function.__module__
    seen: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Mapping):
            waiting += value.values()
        elif isinstance(value, list | tuple):
            waiting += value
        elif isinstance(value, partial):
            waiting.append(value.func)
        elif isinstance(value, type) and value.__module__.startswith(package):
            waiting += vars(value).values()
        else:
            callee = inspect.unwrap(value) if callable(value) else value
            callee = getattr(callee, "fget", None) or getattr(callee, "__func__", callee)
            if isinstance(callee, FunctionType) and callee.__module__.startswith(package):
                names = _names(callee.__code__)
                if "seed" in names:
                    return True
                waiting += [callee.__globals__[name] for name in names if name in callee.__globals__]
    return False


def _names(code: CodeType) -> set[str]:
    """Return the names that a callee takes from elsewhere, its inner functions too."""
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)
