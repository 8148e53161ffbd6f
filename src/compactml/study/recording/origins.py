"""Where recorded rows come from: what several trials have in common, and tables that were recorded in parts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from compactml.datasets.titles import title_or_name
from compactml.solvers import Verdict
from compactml.study import Finished
from compactml.study.recording.clocked import at_their_limits, limits_line, together_at_their_limits
from compactml.study.running.provenance import Provenance

VERSIONS = ("package", "python", "numpy", "scipy", "scikit_learn", "numba")
LISTS = ("commit", "solver", "cpu", "host", "lock", "code")
LATEST = ("continued", "repetitions")
"""What a run that continues a record says of the whole table."""
NOT_A_RUNS = ("partial", "csv_sha256")
RUN = "run"
"""Column with the run of each row, in a table whose rows come from several."""


def summary(finished: Sequence[Finished]) -> dict[str, Any]:
    """Return where the numbers of several trials come from, ready for JSON.

    Returns
    -------
    dict
        ``run_id`` (hash of the trials' run ids), ``formula`` (versions of the key's formula), ``profile``,
        ``n_trials``, ``commit``, ``dirty``, ``versions``, ``solver``, ``backends`` (what each answered, see
        `compactml.solvers.BackEnd`), ``cpu``, ``host``, ``lock``, ``code`` (lists of what occurs), ``data`` (SHA-256 of
        the values, by dataset), ``wall_seconds``,
        ``cpu_seconds`` (None where one trial's is not known), ``starved`` (trials that the clock ended while they
        lacked a processor), ``clocked`` (those as long as their limit, see
        `compactml.study.recording.clocked.at_their_limits`; only where there are such), ``opinions`` (how many values
        that are called optimal another solver confirmed, did not refute, or refuted; only where one was asked),
        ``first_utc``, ``last_utc``, ``dataset_seconds`` (wall clock).
        What was recorded by the first formula of the key lacks some, and its ``cpu_seconds`` are wall clock.
    """
    origins = [item.provenance for item in finished]
    run_ids = [origin.run_id for origin in origins]
    per_dataset: dict[str, float] = {}
    for item in finished:
        per_dataset[item.trial.dataset] = per_dataset.get(item.trial.dataset, 0.0) + item.provenance.seconds
    times = sorted(origin.utc for origin in origins)
    return {
        "run_id": identity(run_ids),
        "formula": sorted({origin.formula for origin in origins}),
        "profile": _distinct(origin.profile for origin in origins),
        "n_trials": len(origins),
        "commit": _distinct(origin.commit for origin in origins),
        "dirty": any(origin.dirty for origin in origins),
        "versions": _versions(origins),
        "solver": _distinct(origin.solver for origin in origins),
        "backends": together(backend for origin in origins for backend in origin.backends),
        "cpu": _distinct(origin.cpu for origin in origins),
        "host": _distinct(origin.host or None for origin in origins),
        "lock": _distinct(origin.lock_sha256 or None for origin in origins),
        "code": _distinct(origin.code_sha256 or None for origin in origins),
        "data": data_hashes((item.trial.dataset, [item.provenance.data_sha256]) for item in finished),
        "wall_seconds": round(sum(per_dataset.values()), 1),
        "cpu_seconds": _sum(origin.cpu_seconds for origin in origins),
        "starved": sum(origin.starved for origin in origins),
        **at_their_limits(finished),
        **_opinions(Counter(item.opinion["verdict"] for item in finished if item.opinion)),
        "first_utc": times[0] if times else None,
        "last_utc": times[-1] if times else None,
        "dataset_seconds": {name: round(seconds, 1) for name, seconds in sorted(per_dataset.items())},
    }


def data_hashes(hashes: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    """Return by dataset the SHA-256 of the values that occur; nothing of generated data of the first formula."""
    found: dict[str, set[str]] = {}
    for name, some in hashes:
        found.setdefault(name, set()).update(value for value in some if value)
    return {name: sorted(values) for name, values in sorted(found.items()) if values}


def _versions(origins: Sequence[Provenance]) -> dict[str, list[str]]:
    """Return what occurs of each version, of every library that computes where the rows say which."""
    versions = {name: _distinct(getattr(origin, name) for origin in origins) for name in VERSIONS}
    more = {name for origin in origins for name in origin.libraries} - {
        name.replace("_", "-") for name in versions
    }
    for name in sorted(more):
        versions[name.replace("-", "_")] = _distinct(origin.libraries.get(name) for origin in origins)
    return versions


def together(backends: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return one entry for each solver, version and licence: answers, statuses and seconds added, largest sizes."""
    entries: dict[tuple[str, str, str], dict[str, Any]] = {}
    for backend in backends:
        name = backend["solver"], backend["version"], backend["licence"]
        if name not in entries:
            entries[name] = {**backend, "statuses": dict(backend["statuses"])}
            continue
        sums = entries[name]
        for what in ("answers", "seconds"):
            sums[what] += backend[what]
        for what in ("rows", "columns"):
            sums[what] = max(sums[what], backend[what])
        for status, number in backend["statuses"].items():
            sums["statuses"][status] = sums["statuses"].get(status, 0) + number
    return [{**entries[name], "seconds": round(entries[name]["seconds"], 1)} for name in sorted(entries)]


def _opinions(given: Counter[str]) -> dict[str, dict[str, int]]:
    """Return the number of each verdict of second opinions as an entry, or no entry where there is no opinion."""
    return {"opinions": {str(verdict): given[verdict] for verdict in Verdict}} if given else {}


def wall_seconds(origin: Mapping[str, Any]) -> float:
    """Return the wall clock of what `summary` says; what was recorded first calls it ``cpu_seconds``."""
    return float(origin.get("wall_seconds", origin["cpu_seconds"]))


def _cpu_seconds(origin: Mapping[str, Any]) -> float | None:
    return origin["cpu_seconds"] if "wall_seconds" in origin else None


def _sum(values: Iterable[float | None]) -> float | None:
    """Return the sum, or None where one is not known."""
    known = list(values)
    return None if None in known else round(sum(value for value in known if value is not None), 1)


def with_earlier_runs(
    frame: pd.DataFrame,
    origin: Mapping[str, Any],
    kept: pd.DataFrame,
    before: Mapping[str, Any],
    keys: Sequence[str],
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a run's rows among the recorded ones that it has not anew, and where all of them come from.

    Parameters
    ----------
    frame : DataFrame
        Rows of the run; they take the places of the recorded rows with the same keys.
    origin : mapping
        `summary` of the run's trials.
    kept, before : DataFrame, mapping
        The recorded table and its provenance.
    keys : sequence of str
        Columns that tell a row from the others; those that one side lacks do not count.

    Returns
    -------
    DataFrame
        With a column ``run`` (the ``run_id`` of each row's run) where rows of earlier runs stay.
    dict
        What `summary` says, of all runs together, and ``runs``: that of each. A profile is named only if every run
        had one.
    """
    taken, new = row_keys(kept, frame, keys)
    stays = ~taken.isin(new)
    if not stays.any():
        return frame, dict(origin)
    named = kept if RUN in kept else kept.assign(**{RUN: before["run_id"]})
    both = pd.concat([named[stays], frame.assign(**{RUN: origin["run_id"]})], ignore_index=True)
    first = {key: place for place, key in reversed(list(enumerate(taken)))}
    places = [first.get(key, len(kept)) for key in (*taken[stays], *new)]
    both = both.iloc[pd.Series(places).argsort(kind="stable")].reset_index(drop=True)
    earlier = {run["run_id"]: run for run in before.get("runs", [before])}
    runs = [earlier[run] for run in dict.fromkeys(named.loc[stays, RUN])] + [dict(origin)]
    return both, combined(runs)


def combined(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what `summary` says, for all the trials of several runs, and the runs."""
    seconds = pd.DataFrame([run["dataset_seconds"] for run in runs]).sum().round(1)
    every_profile = all(run["profile"] for run in runs)
    return {
        "run_id": identity(run["run_id"] for run in runs),
        "formula": sorted({formula for run in runs for formula in run.get("formula", [1])}),
        "profile": _distinct(name for run in runs for name in run["profile"]) if every_profile else [],
        "n_trials": sum(run["n_trials"] for run in runs),
        **{name: _distinct(value for run in runs for value in run.get(name, ())) for name in LISTS},
        "data": data_hashes((name, some) for run in runs for name, some in run.get("data", {}).items()),
        "backends": together(backend for run in runs for backend in run.get("backends", ())),
        "dirty": any(run["dirty"] for run in runs),
        "versions": {
            name: _distinct(value for run in runs for value in run["versions"].get(name, ()))
            for name in dict.fromkeys(name for run in runs for name in run["versions"])
        },
        "wall_seconds": round(sum(map(wall_seconds, runs)), 1),
        "cpu_seconds": _sum(map(_cpu_seconds, runs)),
        "starved": sum(run.get("starved", 0) for run in runs),
        **together_at_their_limits(runs),
        **_opinions(sum((Counter(run.get("opinions", {})) for run in runs), Counter())),
        "first_utc": min(run["first_utc"] for run in runs),
        "last_utc": max(run["last_utc"] for run in runs),
        "dataset_seconds": {str(name): float(value) for name, value in sorted(seconds.items())},
        **{name: runs[-1][name] for name in LATEST if name in runs[-1]},
        "runs": [{name: value for name, value in run.items() if name not in NOT_A_RUNS} for run in runs],
    }


def source_line(origin: dict[str, Any] | None) -> str:
    """Return one line for below a table or figure: run, trials, commit, version, processor, day."""
    if origin is None or not origin["n_trials"]:
        return "no run"
    dirty = " with changes" if origin["dirty"] else ""
    parts = [
        f"run {origin['run_id']}",
        f"{origin['n_trials']} trials",
        f"profile {', '.join(origin['profile'])}" if origin["profile"] else "",
        f"commit {', '.join(commit[:9] for commit in origin['commit'])}{dirty}" if origin["commit"] else "",
        f"scikit-learn {', '.join(origin['versions']['scikit_learn'])}",
        *sorted(name for name in origin["versions"] if name.startswith("environment ")),
        "; ".join(_solvers(origin)),
        ", ".join(origin["cpu"]),
        f"{wall_seconds(origin):.0f} s",
        f"{origin['starved']} short of a processor" if origin.get("starved") else "",
        limits_line(origin),
        opinions_line(origin),
        origin["last_utc"][:10],
    ]
    return " · ".join(part for part in parts if part)


def both_sources(
    recorded: dict[str, Any] | None, finished: Sequence[Finished], left_out: Sequence[Finished]
) -> str:
    """Return a line on the recorded rows and on this build's, with the trials that do not count."""
    return f"recorded: {source_line(recorded)} | {build_source(finished, left_out)}"


def build_source(finished: Sequence[Finished], left_out: Sequence[Finished]) -> str:
    """Return the part of that line that is on this build's rows."""
    line = f"this build: {source_line(summary(finished))}"
    ended = ", ".join(
        replace(item.trial, dataset=title_or_name(item.trial.dataset)).label() for item in left_out
    )
    return f"{line} | ended by the clock and not counted: {ended}" if ended else line


def opinions_line(origin: Mapping[str, Any]) -> str:
    """Return what other solvers say of the values that are called optimal, in one line; empty where none was asked."""
    given = origin.get("opinions")
    if not given:
        return ""
    counts = ", ".join(f"{number} {verdict}" for verdict, number in given.items())
    return f"optimal values: {counts} by another solver"


def _solvers(origin: Mapping[str, Any]) -> list[str]:
    """Every solver that answered, with version and licence, as the back ends were noted or the results say."""
    noted = {f"{one['solver']} {one['version']}, {one['licence']}" for one in origin.get("backends", ())}
    return sorted(noted | {_solver_and_licence(choice) for choice in origin["solver"]})


def _solver_and_licence(choice: str) -> str:
    """A solver's choice without its reason, which may name other sizes for every model."""
    return ", ".join(choice.split(", ")[:2])


def time_limits(rows: pd.DataFrame) -> str:
    """Return the time limits that occur in ``time_limit``, in seconds ("20, 60 or 300"); empty if there is none."""
    limits = sorted(rows["time_limit"].dropna().unique()) if "time_limit" in rows else []
    *shorter, longest = [f"{limit:g}" for limit in limits] or [""]
    return f"{', '.join(shorter)} or {longest}" if shorter else longest


def row_keys(
    frame: pd.DataFrame, other: pd.DataFrame, keys: Sequence[str]
) -> tuple[pd.MultiIndex, pd.MultiIndex]:
    """Return the keys of the rows of two tables, over the columns that both have, so that they can be compared."""
    names = [name for name in keys if name in frame and name in other]
    first, second = (pd.MultiIndex.from_frame(rows[names].map(_comparable)) for rows in (frame, other))
    return first, second


def _comparable(value: Any) -> str:
    """One text for 1, 1.0 and "1", and for every kind of missing value: a file does not tell them apart."""
    if pd.isna(value):
        return ""
    try:
        return str(float(value))
    except ValueError:
        return str(value)


def identity(run_ids: Iterable[str]) -> str:
    """One short name for several runs, whatever their order; empty for none."""
    names = sorted(run_ids)
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:12] if names else ""


def _distinct(values: Iterable[str | None]) -> list[str]:
    return sorted({value for value in values if value is not None})
