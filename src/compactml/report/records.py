"""Which recorded tables today's code would record otherwise, and which do not say what solved their programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from compactml import experiments
from compactml.experiments import Experiment, Profile
from compactml.experiments.closure import code_of, module_of
from compactml.experiments.fingerprint import FORMULA
from compactml.report.origins import wall_seconds
from compactml.report.recorded import recorded_provenance

__all__ = ["CURRENT", "OLDER_CODE", "OLDER_FORMULA", "SOLVER_NOT_RECORDED", "recorded_states"]

CURRENT = "current"
OLDER_CODE = "older code"
OLDER_FORMULA = "older formula of the key"
SOLVER_NOT_RECORDED = "solver not recorded"
"""What the provenance of a table says whose programs were solved before rows named their back ends."""


def recorded_states() -> pd.DataFrame:
    """Return the recorded tables of all chapters and whether they are those that today's code would record.

    A recorded row belongs to its commit and stays valid; a table that is not current can be recorded anew.

    Returns
    -------
    DataFrame
        ``chapter``, ``table``, ``trials``, ``hours`` (wall clock), ``formula`` (of the key), ``solver`` (names, or
        `SOLVER_NOT_RECORDED`; empty where none was asked), ``state``.
    """
    rows = []
    for chapter, own in experiments.chapters().items():
        for table in own.tables:
            origin = recorded_provenance(chapter, table)
            if origin is not None:
                rows.append({"chapter": chapter, "table": table, **_described(own, table, origin)})
    return pd.DataFrame(rows)


def _described(own: Experiment, table: str, origin: Mapping[str, Any]) -> dict[str, Any]:
    names = {one["solver"] for one in origin.get("backends", ())}
    names |= {said if said == SOLVER_NOT_RECORDED else said.split()[0] for said in origin["solver"]}
    formula = origin.get("formula", [1])
    return {
        "trials": origin["n_trials"],
        "hours": round(wall_seconds(origin) / 3600, 2),
        "formula": ", ".join(map(str, formula)),
        "solver": ", ".join(sorted(names)),
        "state": _state(own, table, formula, origin.get("code", ())) if origin["n_trials"] else CURRENT,
    }


def _state(own: Experiment, table: str, formula: list[int], recorded_code: list[str] | tuple[()]) -> str:
    if formula != [FORMULA]:
        return OLDER_FORMULA
    profiles = (Profile.QUICK, Profile.STANDARD)
    kinds = {trial.kind for profile in profiles for trial in experiments.table_trials(own, table, profile)}
    code = {code_of(module_of(own.kinds[kind])).sha256 for kind in kinds}
    return CURRENT if set(recorded_code) <= code else OLDER_CODE
