"""The datasets of the paper, in its order, and the keys of their data here."""

from __future__ import annotations

DATASETS = {"iris": "iris", "breast cancer": "wdbc"}
"""Printed name and registry key (``compactml data list``)."""
