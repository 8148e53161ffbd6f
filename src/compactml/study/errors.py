"""What can go wrong when trials are specified, stored and run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compactml.errors import CompactmlError


class UnknownChapter(CompactmlError, LookupError):  # noqa: N818
    """No chapter of this name exists."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        known = tuple(known)
        super().__init__(f"chapter: must be one of {', '.join(known)}, got {name!r}.")
        self.name, self.known = name, known


class UnknownTable(CompactmlError, LookupError):  # noqa: N818
    """The chapter's paper has no table or figure of this name."""

    def __init__(self, chapter: str, table: str, known: Iterable[str]) -> None:
        known = tuple(known)
        super().__init__(f"table: {chapter} has {', '.join(known)}, got {table!r}.")
        self.chapter, self.table, self.known = chapter, table, known


class EnvironmentNotInstalled(CompactmlError, LookupError):  # noqa: N818
    """A kind of trials needs an environment of its own that is not there, or was made of another lock."""

    def __init__(self, name: str) -> None:
        super().__init__(f"environment {name} is not installed: make environment NAME={name}")
        self.name = name


class ProgramFailed(CompactmlError, RuntimeError):  # noqa: N818
    """A program in an environment of its own ended with an error."""

    def __init__(self, name: str, code: int, said: str) -> None:
        super().__init__(f"the program in environment {name} ended with code {code}: {said}")
        self.name, self.code, self.said = name, code, said


class InvalidResult(CompactmlError, TypeError):  # noqa: N818
    """A trial returned something other than named plain numbers."""

    def __init__(self, name: str, got: str) -> None:
        super().__init__(f"result {name!r}: must be a finite number, NaN, text or None, got {got}.")
        self.name, self.got = name, got


class StoreError(CompactmlError, OSError):
    """The file of the store cannot be used; ``way_out`` says what to do."""

    def __init__(
        self,
        path: str,
        reason: str,
        way_out: str = "Another file can be named with --store or COMPACTML_STORE.",
    ) -> None:
        super().__init__(f"store {path}: {reason}. {way_out}")
        self.path, self.reason, self.way_out = path, reason, way_out


class StoreLocked(StoreError):  # noqa: N818
    """Another process holds the file of the store."""

    def __init__(self, path: str, holder: str) -> None:
        super().__init__(
            path, f"is locked by {holder}", "Wait for it or end it, and run the same command again."
        )


class SchedulerError(CompactmlError, ConnectionError):
    """The Dask scheduler cannot be used."""

    def __init__(self, scheduler: str, reason: str) -> None:
        super().__init__(
            f"scheduler: must be the address of a running Dask scheduler, got {scheduler!r}: {reason}."
        )
        self.scheduler, self.reason = scheduler, reason


class TrialsFailed(CompactmlError, RuntimeError):  # noqa: N818
    """Some trials raised an error; the others are in the store.

    ``failures`` holds a trial's label and its error for each of them.
    """

    def __init__(self, failures: Sequence[tuple[str, str]], n_finished: int) -> None:
        listed = "".join(f"\n  {label}: {error}" for label, error in failures)
        super().__init__(
            f"{len(failures)} trials failed, {n_finished} finished and are kept"
            f" (`compactml failed` shows where they failed; the same command tries them again, --skip-failed leaves"
            f" them out):{listed}"
        )
        self.failures, self.n_finished = tuple(failures), n_finished


class Refuted(CompactmlError, ArithmeticError):  # noqa: N818
    """Another solver has shown that values are not optimal which a table would call so.

    ``trials`` holds a trial's label and what the other solver says for each of them.
    """

    def __init__(self, trials: Sequence[tuple[str, str]]) -> None:
        listed = "".join(f"\n  {label}: {told}" for label, told in trials)
        super().__init__(
            f"{len(trials)} values that are called optimal are refuted; nothing is recorded, the trials stay in the"
            f" store:{listed}"
        )
        self.trials = tuple(trials)
