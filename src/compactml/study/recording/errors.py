"""What can go wrong between the repository's data and a table of the book."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compactml.errors import CompactmlError


class RepositoryNotFound(CompactmlError, FileNotFoundError):  # noqa: N818
    """The repository with the published and recorded numbers is not where it was looked for."""

    def __init__(self, needed: str, looked: str) -> None:
        super().__init__(
            f"COMPACTML_HOME: must name the repository's folder (it holds {needed}), looked in {looked}. "
            f"Run in a checkout or set the variable."
        )
        self.needed, self.looked = needed, looked


class NotRecorded(CompactmlError, KeyError):  # noqa: N818
    """A table that a claim needs has not been recorded."""

    def __init__(self, table: str) -> None:
        self.message = f"table: {table!r} is not recorded in data/recorded"
        super().__init__(self.message)
        self.table = table

    def __str__(self) -> str:  # KeyError would show the repr of the message
        return self.message


class NotPublished(CompactmlError, LookupError):  # noqa: N818
    """No published numbers are kept for a table."""

    def __init__(self, chapter: str, table: str, path: str) -> None:
        super().__init__(f"table: {chapter} has no published numbers for {table!r} ({path} does not exist).")
        self.chapter, self.table, self.path = chapter, table, path


class WithoutEvidence(CompactmlError, ValueError):  # noqa: N818
    """The check of a claim does not say what its verdict must follow from."""

    def __init__(self, claim: str, needed: str, got: str) -> None:
        super().__init__(f"claim {claim!r}: its check must give {needed}, got {got}.")
        self.claim, self.needed, self.got = claim, needed, got


class StaleSentence(CompactmlError, ValueError):  # noqa: N818
    """A sentence of the book rests on something that is not so, or no longer."""

    def __init__(self, sentence: str, assumes: str) -> None:
        super().__init__(f"sentence {sentence!r}: it assumes {assumes}.")
        self.sentence, self.assumes = sentence, assumes


class DamagedRecord(CompactmlError, ValueError):  # noqa: N818
    """A recorded table and its provenance do not belong together.

    Nothing is continued from such a pair, and nothing writes over it: which rows it lost, nobody knows.
    """

    def __init__(self, path: str, reason: str) -> None:
        folder, table, said = Path(path).parent, Path(path).name, f"{Path(path).stem}.provenance.json"
        super().__init__(
            f'record {path}: {reason}. If both files are committed, git -C "{folder}" checkout HEAD -- {table} {said} '
            f"brings them back. If not, move {table} and {said} out of the folder, as far as they are there, and "
            "record again with compactml run --record; the raw trials in the folder trials are kept."
        )
        self.path, self.reason = path, reason


class RecordBusy(CompactmlError, TimeoutError):  # noqa: N818
    """Another process writes the record."""

    def __init__(self, folder: str) -> None:
        super().__init__(f"record {folder}: another process writes it; finished trials are kept, run again.")
        self.folder = folder


class FewerRepetitions(CompactmlError, ValueError):  # noqa: N818
    """Rows over many repetitions would be replaced by rows over fewer."""

    def __init__(self, table: str, dataset: str, before: int, now: int) -> None:
        super().__init__(
            f"repetitions: {table} has rows over {before} repetitions of {dataset}, this run only {now}. Nothing was "
            f"recorded and finished trials are kept; --repetitions {before} (or more, or none of the option) runs the "
            "others, --force replaces the rows, --record DIR writes elsewhere."
        )
        self.table, self.dataset, self.before, self.now = table, dataset, before, now


class UnknownRun(CompactmlError, LookupError):  # noqa: N818
    """No recorded table and no recorded or stored trial has this run id."""

    def __init__(self, run: str) -> None:
        super().__init__(
            f"run: must be the run id of a recorded table, of one of its runs, or of a trial (12 digits, as below a "
            f"table and in its .provenance.json), got {run!r}."
        )
        self.run = run


class CommitNotRun(CompactmlError, RuntimeError):  # noqa: N818
    """The code of a commit cannot be asked for its keys."""

    def __init__(self, commit: str, reason: str) -> None:
        super().__init__(f"commit {commit[:9]}: its code cannot be asked for its keys: {reason}")
        self.commit, self.reason = commit, reason


class UncleanTree(CompactmlError, RuntimeError):  # noqa: N818
    """The official record is written from a commit only."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"--official: the tree must be that of a commit: {reason}. Commit, or record from a second worktree "
            "(git worktree add), or write to a folder with --record DIR."
        )
        self.reason = reason


class UnpinnedFiles(CompactmlError, ValueError):  # noqa: N818
    """The official record is made of data whose files are the registered ones, byte by byte."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        super().__init__(
            "--official: every file of the data must have a registered SHA-256, got none for "
            f"{', '.join(self.names)}: the form of their values was checked, not the values. Nothing was recorded. "
            "--dataset NAME records others only, --record DIR writes to a folder, and a file that equals another copy "
            "of it gets its SHA-256 in files.csv of compactml.datasets."
        )


class OtherProfile(CompactmlError, ValueError):  # noqa: N818
    """Rows of one profile would take the places of rows of another, or join rows of a higher one."""

    def __init__(self, table: str, n_rows: int, theirs: str, profile: str) -> None:
        super().__init__(
            f"profile: {n_rows} recorded rows of {table} are of the profile {theirs}, got {profile!r}. Nothing was "
            "recorded and finished trials are kept; --force replaces them, --record DIR writes elsewhere."
        )
        self.table, self.n_rows, self.theirs, self.profile = table, n_rows, theirs, profile
