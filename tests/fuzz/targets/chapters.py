"""The chapters by name."""

from __future__ import annotations

from compactml import chapters
from tests.fuzz.calling import Target

__all__ = ["TARGETS"]

TARGETS = (
    Target("chapters.chapter", lambda name: chapters.chapter(name).name, lambda rng: {"name": "pace"}),
)
