"""Finished trials and a repository folder that exist only in tests."""

from __future__ import annotations

from compactml.study import Finished, Trial
from compactml.study.running.provenance import Provenance

BASE = Provenance(
    run_id="a", package="0.1", commit="c" * 40, dirty=False, python="3.11", numpy="2", scipy="1",
    scikit_learn="1.9", numba="0.6", solver=None, cpu="Model", cpu_count=2, seed=0, threads=1, time_limit=None,
    gap=None, bound=None, seconds=1.0, peak_memory_mib=1.0, data_sha256="", data_source="", profile="quick",
    utc="2026-01-01T00:00:00+00:00",
)  # fmt: skip


def finished(dataset: str, **changes: object) -> Finished:
    origin = Provenance(**BASE.as_dict() | changes)
    return Finished(Trial("toy-chapter", "kind", dataset), {}, origin, cached=False)
