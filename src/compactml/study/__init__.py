"""The machinery of a chapter: trials, keys, running, recording, judging, pages. It knows no method and no chapter."""

from __future__ import annotations

from compactml.study.errors import (
    InvalidResult,
    SchedulerError,
    StoreError,
    TrialsFailed,
    UnknownChapter,
    UnknownTable,
)
from compactml.study.profile import Profile
from compactml.study.running.store import Store
from compactml.study.running.worker import Finished
from compactml.study.trial import Experiment, Result, Trial

__all__ = [
    "Experiment",
    "Finished",
    "InvalidResult",
    "Profile",
    "Result",
    "SchedulerError",
    "Store",
    "StoreError",
    "Trial",
    "TrialsFailed",
    "UnknownChapter",
    "UnknownTable",
]
