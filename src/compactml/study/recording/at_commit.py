"""What the code of another commit says: its keys of a table's trials, computed by that code itself."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from compactml.study.recording import probe
from compactml.study.recording.errors import CommitNotRun
from compactml.study.recording.published import home

__all__ = ["Answer", "ask_commit", "lock_at"]

SECONDS = 600
"""For which the code of a commit may compute keys: it reads data and hashes them."""


@dataclass(frozen=True)
class Answer:
    """What the code of a commit says of a table.

    Attributes
    ----------
    keys : dict of str to str
        Key of each trial whose data are at hand here, by its canonical specification.
    specifications : dict of str to tuple of str
        The trials of each profile, canonical.
    not_at_hand : tuple of str
        Datasets that are missing here.
    codes : dict of str to str
        Hash of the code by kind of trial; empty before the second formula of the key.
    """

    keys: Mapping[str, str]
    specifications: Mapping[str, tuple[str, ...]]
    not_at_hand: tuple[str, ...]
    codes: Mapping[str, str]


def ask_commit(
    commit: str, chapter: str, table: str, profiles: Sequence[str], versions: Mapping[str, str]
) -> Answer:
    """Run the code of a commit, in a folder and a process of its own, and ask it for the keys of a table.

    Parameters
    ----------
    commit : str
    chapter, table : str
    profiles : sequence of str
    versions : mapping of str to str
        Of the libraries that the first formula of the key names; later ones take those that are installed here.

    Raises
    ------
    CommitNotRun
        There is no such commit here, or its code ended with an error.
    """
    order = {"chapter": chapter, "table": table, "profiles": list(profiles), "versions": dict(versions)}
    with tempfile.TemporaryDirectory(prefix="compactml-") as folder:
        _extract(commit, Path(folder))
        variables = {"PYTHONPATH": str(Path(folder) / "src"), "COMPACTML_HOME": folder}
        done = subprocess.run(
            [sys.executable, "-P", str(probe.__file__)],
            input=json.dumps(order),
            capture_output=True,
            text=True,
            env=os.environ | variables,
            timeout=SECONDS,
        )
    if done.returncode:
        raise CommitNotRun(commit, (done.stderr.strip().splitlines() or ["it ended without a word"])[-1])
    said = json.loads(done.stdout)
    specifications = {name: tuple(some) for name, some in said["specifications"].items()}
    return Answer(said["keys"], specifications, tuple(said["not_at_hand"]), said["codes"])


def lock_at(commit: str) -> str | None:
    """Return the SHA-256 of a commit's list of pinned packages; None where there is none."""
    done = subprocess.run(_git("show", f"{commit}:requirements.lock"), capture_output=True)
    return None if done.returncode else hashlib.sha256(done.stdout).hexdigest()


def _extract(commit: str, folder: Path) -> None:
    parts = subprocess.run(
        _git("ls-tree", "--name-only", commit, "src", "data/published"), capture_output=True, text=True
    )
    done = subprocess.run(
        _git("archive", "--format=zip", commit, *parts.stdout.splitlines()), capture_output=True
    )
    if done.returncode:
        raise CommitNotRun(commit, done.stderr.decode().strip())
    # Not a tar: its filter of hostile members came with Python 3.11.4, and Debian 12 has 3.11.2.
    with zipfile.ZipFile(io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder)


def _git(*arguments: str) -> list[str]:
    return ["git", "--no-optional-locks", "-C", str(home()), *arguments]
