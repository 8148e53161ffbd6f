"""Where a result comes from: code, libraries, machine, limits, data, time."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import compactml
from compactml.study.keys.fingerprint import KeyParts
from compactml.study.profile import Profile
from compactml.study.trial import Result, Trial

THREADS = 1
"""Threads per trial: results are deterministic and times comparable."""
BLANK = {"str": "", "int": 0, "float": 0.0}
"""What stands for a value that a row lacks, by its type; for others it is None."""
SHARE = 0.9
"""Of a trial's wall clock: with less CPU time, one that the clock ended had too little of a processor."""


@dataclass(frozen=True)
class Measured:
    """What was measured of a trial while it ran.

    Attributes
    ----------
    seconds, cpu_seconds : float
        Wall clock, and time that this process and those that it started and saw end spent on processors.
    resident_mib : float
        Largest resident size that was sampled.
    backends : tuple of dict
        See `compactml.solvers.BackEnd`.
    repeats : int
        How often it was run before since it had lacked a processor.
    starved : bool
        Whether it lacked one in this run, too: the clock ended it, and less than `SHARE` of its time was CPU time.
    """

    seconds: float
    cpu_seconds: float
    resident_mib: float = 0.0
    backends: tuple[dict[str, Any], ...] = ()
    repeats: int = 0
    starved: bool = False


@dataclass(frozen=True)
class Provenance:
    """Everything needed to say how a result came about; stored as JSON beside it.

    Attributes
    ----------
    run_id : str
        First 12 digits of the trial's key.
    package, python, numpy, scipy, scikit_learn, numba : str
        Versions.
    commit : str or None
        Commit of the checkout that the process which ran the trial imported the package from; None for an installed
        package. It decides nothing: the code's hash does.
    dirty : bool or None
        Whether the package's code differed from that commit.
    solver : str or None
        Choice of solver; like ``gap`` and ``bound`` it is the result's entry of that name, None without.
    cpu : str
        Model; ``cpu_count`` is the number of logical processors.
    seed, threads, time_limit
        As the trial asked; the limit is in seconds of wall-clock time.
    seconds : float
        Wall-clock time of the trial.
    peak_memory_mib : float
        Largest resident size of the process until the trial's end (a worker runs several trials).
    data_sha256, data_source : str
        Identity of the data; the hash is empty for generated data of rows with the first formula of the key.
    profile : str or None
        Profile of the run that computed the result.
    utc : str
        Time of the end, ISO 8601.
    formula : int
        Version of the key's formula.
    code_sha256, libraries, solvers
        With the data, what the key is made of, see `compactml.study.keys.fingerprint.KeyParts`.
    backends : tuple of dict
        The back ends that answered: solver, version, licence, number of answers, largest rows and columns, statuses,
        seconds.
    cpu_seconds : float or None
        None for rows of the first formula, of which it was not measured.
    resident_mib : float or None
        Largest resident size sampled during the trial.
    lock_sha256 : str
        Of the checkout's requirements.lock; empty for an installed package.
    host : str
    repeats : int
        How often the trial was run before since it had lacked a processor; ``starved`` if it did in the end, too.
    starved : bool
    """

    run_id: str
    package: str
    commit: str | None
    dirty: bool | None
    python: str
    numpy: str
    scipy: str
    scikit_learn: str
    numba: str
    solver: str | None
    cpu: str
    cpu_count: int | None
    seed: int
    threads: int
    time_limit: float | None
    gap: float | None
    bound: float | None
    seconds: float
    peak_memory_mib: float
    data_sha256: str
    data_source: str
    profile: str | None
    utc: str
    formula: int = 1
    code_sha256: str = ""
    libraries: dict[str, str] = field(default_factory=dict)
    solvers: dict[str, Any] | None = None
    backends: tuple[dict[str, Any], ...] = ()
    cpu_seconds: float | None = None
    resident_mib: float | None = None
    lock_sha256: str = ""
    host: str = ""
    repeats: int = 0
    starved: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as a dictionary that JSON can hold."""
        return asdict(self)

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Provenance:
        """Return what a row holds; its result is as good where it does not say all of where that comes from.

        A field that a later release wrote is left out, and one that is missing has its default or is blank.
        """
        needed = [one for one in fields(cls) if one.default is MISSING and one.default_factory is MISSING]
        values: dict[str, Any] = {one.name: BLANK.get(str(one.type)) for one in needed}
        values |= {one.name: stored[one.name] for one in fields(cls) if stored.get(one.name) is not None}
        values["backends"] = tuple(values.get("backends", ()))
        return cls(**values)

    def parts(self) -> KeyParts:
        """Return what the row's key was made of."""
        return KeyParts(self.code_sha256, self.libraries, self.solvers, self.data_sha256, self.formula)


def collect(
    trial: Trial, result: Result, measured: Measured, parts: KeyParts, source: str, profile: Profile | None
) -> Provenance:
    """Describe a finished trial; called in the process that ran it.

    Parameters
    ----------
    trial, result
    measured : Measured
    parts : KeyParts
        What the key is made of, as this process computed it.
    source : str
        Where the data come from.
    profile : Profile or None
    """
    solver, gap, bound = (result.get(name) for name in ("solver", "gap", "bound"))
    commit, dirty = git_state_once()
    return Provenance(
        run_id=parts.key(trial)[:12],
        package=compactml.__version__,
        commit=commit,
        dirty=dirty,
        python=platform.python_version(),
        **_library_versions(),
        solver=None if solver is None else str(solver),
        cpu=cpu_model(),
        cpu_count=os.cpu_count(),
        seed=trial.seed,
        threads=THREADS,
        time_limit=trial.time_limit,
        gap=None if gap is None else float(gap),
        bound=None if bound is None else float(bound),
        seconds=measured.seconds,
        peak_memory_mib=peak_memory_mib(),
        data_sha256=parts.data,
        data_source=source,
        profile=None if profile is None else str(profile),
        utc=datetime.now(UTC).isoformat(timespec="seconds"),
        formula=parts.formula,
        code_sha256=parts.code,
        libraries=dict(parts.libraries),
        solvers=None if parts.solvers is None else dict(parts.solvers),
        backends=measured.backends,
        cpu_seconds=measured.cpu_seconds,
        resident_mib=measured.resident_mib,
        lock_sha256=lock_sha256(),
        host=platform.node(),
        repeats=measured.repeats,
        starved=measured.starved,
    )


@cache
def _library_versions() -> dict[str, str]:
    return {name.replace("-", "_"): version(name) for name in ("numpy", "scipy", "scikit-learn", "numba")}


@cache
def cpu_model() -> str:
    """Return the processor's model name, or its architecture where the system tells no more."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def peak_memory_mib() -> float:
    """Return the largest resident size of this process so far, in MiB."""
    if sys.platform == "win32":
        import psutil

        return psutil.Process().memory_info().peak_wset / 2**20
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10  # bytes there, KiB elsewhere


@cache
def git_state_once() -> tuple[str | None, bool | None]:
    """Return `git_state` as it was when first asked: like the code's hash, it is that of what this process imported."""
    return git_state()


@cache
def lock_sha256() -> str:
    """Return the SHA-256 of the checkout's list of pinned packages; empty outside a checkout."""
    path = Path(compactml.__file__).parents[2] / "requirements.lock"
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def git_state() -> tuple[str | None, bool | None]:
    """Return commit and whether the package's code differs from it; (None, None) outside a checkout."""
    package = Path(compactml.__file__).parent
    if "site-packages" in package.parts:  # an environment inside a checkout is not that checkout's code
        return None, None
    commit = _git(package, "rev-parse", "HEAD")
    changes = _git(package, "status", "--porcelain", "--", ".")
    return (None, None) if commit is None or changes is None else (commit, bool(changes))


def _git(folder: Path, *arguments: str) -> str | None:
    command = ["git", "--no-optional-locks", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
