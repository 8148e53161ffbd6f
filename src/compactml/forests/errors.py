"""Exceptions of tree ensembles."""

from __future__ import annotations

from typing import Any

from compactml.errors import CompactmlError


class UnsupportedEnsembleError(CompactmlError, TypeError):
    """The object is no ensemble of trees with numeric tests ``x <= threshold``."""

    def __init__(self, got: Any, allowed: str) -> None:
        super().__init__(f"ensemble: must be {allowed}, got {got}.")
        self.got, self.allowed = got, allowed


class UnfittedEnsembleError(CompactmlError, ValueError):
    """The ensemble has not been fitted."""

    def __init__(self, owner: str) -> None:
        super().__init__(f"ensemble: must be fitted, got an unfitted {owner}; call its fit(X, y) first.")
        self.owner = owner
