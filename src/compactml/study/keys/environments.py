"""Environments of their own, in which some kinds of trials run programs of others: their files are part of the key.

An environment is the lock ``environments/NAME.txt``, and what else its kinds install or call there. ``make environment
NAME=...`` makes it and leaves a copy of the lock in it. Where it is absent, or was made of another lock, its trials are
left out, like those of a dataset that is not at hand.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from compactml.study.errors import EnvironmentNotInstalled, ProgramFailed
from compactml.study.recording.published import home

__all__ = ["Environment"]

LOCKS, INSTALLED, COPY = "environments", ".environments", "lock.txt"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
ONE_ORDER = {"PYTHONHASHSEED": "0"}
"""Sets of strings in one order: programs of others list them, and their results hang on it."""


@dataclass(frozen=True)
class Environment:
    """A Python of its own with other libraries.

    Attributes
    ----------
    name : str
    files : tuple of str
        What a result depends on beside the lock, from the root of the repository: a list of what the libraries are
        compiled with, say, or a jar.
    """

    name: str
    files: tuple[str, ...] = ()

    @property
    def lock(self) -> Path:
        """The list of its libraries."""
        return home() / LOCKS / f"{self.name}.txt"

    @property
    def python(self) -> Path:
        """Its interpreter, whether it is there or not."""
        return home() / INSTALLED / self.name / "bin" / "python"

    @property
    def installed(self) -> bool:
        """Whether it is there and was made of the lock of now."""
        copy = home() / INSTALLED / self.name / COPY
        return self.python.is_file() and copy.is_file() and copy.read_bytes() == self.lock.read_bytes()

    def identity(self) -> dict[str, str]:
        """Return what stands for it among the libraries of a key: a hash of the lock and the other files."""
        digest = hashlib.sha256()
        for path in (self.lock, *(home() / name for name in self.files)):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return {f"environment {self.name}": digest.hexdigest()[:16]}

    def run(self, script: str, *arguments: str, variables: Mapping[str, str] | None = None) -> str:
        """Run a program in it, on one thread and with one seed of hashes, and return what it printed on stdout.

        Parameters
        ----------
        script : str
            Path of a Python file.
        *arguments : str
        variables : mapping of str to str, optional
            Of the process, besides those of this one.

        Raises
        ------
        EnvironmentNotInstalled
        ProgramFailed
            It ended with another code than 0; one that a signal ended has that signal's number as a negative code.
        """
        if not self.installed:
            raise EnvironmentNotInstalled(self.name)
        done = subprocess.run(
            [str(self.python), "-P", script, *arguments],  # -P: modules beside the script hide no library
            env={**os.environ, **ONE_THREAD, **ONE_ORDER, **(variables or {})},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:]
            raise ProgramFailed(self.name, done.returncode, " ".join(last) or "nothing on stderr")
        return done.stdout
