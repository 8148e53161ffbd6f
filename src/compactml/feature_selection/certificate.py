"""Proofs that no set of features has a value above a bound."""

from __future__ import annotations

__all__ = ["Certificate"]


class Certificate:
    """A proof."""
