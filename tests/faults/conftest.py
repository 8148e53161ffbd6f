"""What these tests share with others: folders, stores and registries of their own."""

from __future__ import annotations

from tests.datasets.conftest import folders, toy_registry
from tests.study.conftest import folder, store

__all__ = ["folder", "folders", "store", "toy_registry"]
