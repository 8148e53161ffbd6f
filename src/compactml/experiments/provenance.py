"""Where a result comes from: code, libraries, machine, limits, data, time."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import compactml
from compactml.experiments.fingerprint import DataIdentity
from compactml.experiments.profiles import Profile
from compactml.experiments.specification import Result, Trial

THREADS = 1
"""Threads per trial: results are deterministic and times comparable."""


@dataclass(frozen=True)
class Origin:
    """What the coordinating process knows before a trial starts."""

    run_id: str
    commit: str | None
    dirty: bool | None
    data: DataIdentity
    profile: Profile | None


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
        Commit of the checkout that the package was imported from; None for an installed package.
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
        Identity of the data; the hash is empty for generated data.
    profile : str or None
        Profile of the run that computed the result.
    utc : str
        Time of the end, ISO 8601.
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

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as a dictionary that JSON can hold."""
        return asdict(self)


def collect(trial: Trial, result: Result, seconds: float, origin: Origin) -> Provenance:
    """Describe a finished trial; called in the process that ran it."""
    solver, gap, bound = (result.get(name) for name in ("solver", "gap", "bound"))
    return Provenance(
        run_id=origin.run_id,
        package=compactml.__version__,
        commit=origin.commit,
        dirty=origin.dirty,
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
        seconds=seconds,
        peak_memory_mib=peak_memory_mib(),
        data_sha256=origin.data.sha256,
        data_source=origin.data.source,
        profile=None if origin.profile is None else str(origin.profile),
        utc=datetime.now(UTC).isoformat(timespec="seconds"),
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
