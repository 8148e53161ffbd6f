"""Which recorded tables today's code would record otherwise, and which do not say what solved their programs."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from compactml import chapters
from compactml.solvers import SOLVERS, solver_identity
from compactml.study import Chapter, Profile
from compactml.study.keys.closure import Code, code_of, library_versions, module_of
from compactml.study.keys.fingerprint import FORMULA
from compactml.study.recording.origins import wall_seconds
from compactml.study.recording.recorded import recorded_provenance, recorded_tables

__all__ = [
    "CURRENT",
    "OLDER_CODE",
    "OLDER_FORMULA",
    "OTHER_SOLVERS",
    "SOLVER_NOT_RECORDED",
    "recorded_states",
]

CURRENT = "current"
OLDER_CODE = "older code"
OLDER_FORMULA = "older formula of the key"
OTHER_SOLVERS = "other solvers"
SOLVER_NOT_RECORDED = "solver not recorded"
"""What the provenance of a table says whose programs were solved before rows named their back ends."""


def recorded_states() -> pd.DataFrame:
    """Return the recorded tables of all chapters and whether they are those that today's code would record.

    A recorded row belongs to its commit and stays valid; a table that is not current can be recorded anew.

    Returns
    -------
    DataFrame
        ``chapter``, ``table``, ``trials``, ``hours`` (wall clock), ``formula`` (of the key), ``solver`` (names, or
        `SOLVER_NOT_RECORDED`; empty where none was asked), ``state``: `CURRENT`, `OLDER_FORMULA`, or what else is other
        here, `OLDER_CODE`, "other numpy 2.0", `OTHER_SOLVERS`. A table of another origin than the chapter's trials is
        compared by its formula only.
    """
    rows = []
    for chapter in chapters.every_chapter():
        others = sorted(set(recorded_tables(chapter.name)) - set(chapter.table_ids))
        for table in (*chapter.table_ids, *others):
            origin = recorded_provenance(chapter.name, table)
            if origin is not None:
                rows.append({"chapter": chapter.name, "table": table, **_described(chapter, table, origin)})
    return pd.DataFrame(rows)


def _described(chapter: Chapter, table: str, origin: Mapping[str, Any]) -> dict[str, Any]:
    names = {one["solver"] for one in origin.get("backends", ())}
    names |= {
        said if said == SOLVER_NOT_RECORDED else said.split()[0].rstrip(",") for said in origin["solver"]
    }
    formula = origin.get("formula", [1])
    return {
        "trials": origin["n_trials"],
        "hours": round(wall_seconds(origin) / 3600, 2),
        "formula": ", ".join(map(str, formula)),
        "solver": ", ".join(sorted(names)),
        "state": _state(chapter, table, origin) if origin["n_trials"] else CURRENT,
    }


def _state(chapter: Chapter, table: str, origin: Mapping[str, Any]) -> str:
    if origin.get("formula", [1]) != [FORMULA]:
        return OLDER_FORMULA
    if table not in chapter.table_ids:
        return CURRENT
    code = _codes(chapter, table)
    differences = [
        *([] if _same_code(code, origin) else [OLDER_CODE]),
        *_other_libraries(code, origin),
        *([] if _usable(origin) else [OTHER_SOLVERS]),
    ]
    return ", ".join(differences) or CURRENT


def _codes(chapter: Chapter, table: str) -> list[Code]:
    """Return the code behind each kind of a table's trials."""
    profiles = (Profile.QUICK, Profile.STANDARD)
    trials = [trial for profile in profiles for trial in chapter.trials(table, profile)]
    runs = {trial.kind: chapter.kind(trial).run for trial in trials}
    return [code_of(module_of(runs[kind])) for kind in sorted(runs)]


def _same_code(code: Sequence[Code], origin: Mapping[str, Any]) -> bool:
    """Whether all trials are of the code of now, or of one of which a sample came out equal."""
    equal = {one["code"] for one in _continued(code, origin)}
    return set(origin.get("code", ())) <= {one.sha256 for one in code} | equal


def _other_libraries(code: Sequence[Code], origin: Mapping[str, Any]) -> list[str]:
    """Return the libraries that compute, and Python, in versions that are neither those of now nor found equal."""
    now = library_versions({name for part in code for name in part.libraries})
    differences = []
    for name, version in {"python": platform.python_version(), **now}.items():
        equal = {
            _short(name, entry["libraries"].get(name, [version])[0]) for entry in _continued(code, origin)
        }
        then = {_short(name, old) for old in origin["versions"].get(name.replace("-", "_"), ())}
        other = sorted(then - equal - {_short(name, version)})
        differences += [f"other {name} {' and '.join(other)}"] if other else []
    return differences


def _continued(code: Sequence[Code], origin: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what says that trials of other code or libraries give what the code of now gives."""
    now = {one.sha256 for one in code}
    return [one for one in origin.get("continued", ()) if one["code_now"] in now]


def _short(name: str, version: str | None) -> str:
    """Return a version as far as a key has it: that of Python without its last part."""
    return ".".join(str(version).split(".")[:2]) if name == "python" else str(version)


def _usable(origin: Mapping[str, Any]) -> bool:
    """Whether every solver that answered can be used here, in its version and with its licence.

    Others that answer (CP-SAT, STreeD) belong to libraries, whose versions are compared as such.
    """
    backends = [one for one in origin.get("backends", ()) if one["solver"] in SOLVERS]
    answered = {(one["solver"], one["version"], one["licence"]) for one in backends}
    usable = solver_identity()["usable"] if answered else ()
    return answered <= {(one["solver"], one["version"], one["licence"]) for one in usable}
