"""The machinery of a chapter: trials, keys, running, recording, judging, pages. It knows no method and no chapter."""

from __future__ import annotations

from compactml.study.chapter import Chapter, Kind, Printed, Table
from compactml.study.errors import (
    InvalidResult,
    SchedulerError,
    StoreError,
    TrialsFailed,
    UnknownChapter,
    UnknownTable,
)
from compactml.study.profile import Profile
from compactml.study.running.worker import Finished
from compactml.study.storing.store import Store
from compactml.study.trial import Result, Trial

__all__ = [
    "Chapter",
    "Finished",
    "InvalidResult",
    "Kind",
    "Printed",
    "Profile",
    "Result",
    "SchedulerError",
    "Store",
    "StoreError",
    "Table",
    "Trial",
    "TrialsFailed",
    "UnknownChapter",
    "UnknownTable",
]
