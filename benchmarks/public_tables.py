"""Tables of no paper here, read from the files of packages that hold them; no such package is imported.

The import of pydataset would unpack its archive into the home folder, and that of statsmodels takes seconds.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

from compactml.datasets import available, load

__all__ = ["TABLES", "at_hand", "numeric", "table"]

ARCHIVED = {
    "hdma": "Ecdat/Hdma",
    "hi": "Ecdat/HI",
    "flchain": "survival/flchain",
    "diamonds": "ggplot2/diamonds",
}
FILES = {
    "penguins": ("palmerpenguins", "data/penguins.csv"),
    "fair": ("statsmodels", "datasets/fair/fair.csv"),
}
REGISTERED = ("spambase", "madelon", "cnae9", "isolet", "epileptic_seizure", "heloc")
TABLES = (*FILES, *ARCHIVED, *REGISTERED)


def at_hand(name: str) -> bool:
    """Whether the package or the file that holds the table is installed."""
    if name in REGISTERED:
        return name in available()
    return folder("pydataset" if name in ARCHIVED else FILES[name][0]) is not None


@cache
def table(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """The columns and the classes of a table, as its users would predict them."""
    if name in REGISTERED:
        data = load(name)
        return data.X, data.y
    frame = archived(ARCHIVED[name]) if name in ARCHIVED else pd.read_csv(file_of(name))
    return PREPARED[name](frame)


@cache
def numeric(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers for trees: columns of words as indicators, a missing value as the median of its column."""
    X, y = table(name)
    columns = pd.get_dummies(X, dtype=float)
    return columns.fillna(columns.median()).to_numpy(dtype=float), np.unique(y, return_inverse=True)[1]


def folder(package: str) -> Path | None:
    """Where a package lies, found without importing it."""
    spec = find_spec(package)
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def file_of(name: str) -> Path:
    """The file of a table that lies open in its package."""
    package, file = FILES[name]
    place = folder(package)
    if place is None:
        raise FileNotFoundError(f"{name}: the package {package} is not installed")
    return place / file


def archived(member: str) -> pd.DataFrame:
    """A table of pydataset's archive; its first column numbers the rows."""
    place = folder("pydataset")
    if place is None:
        raise FileNotFoundError(f"{member}: the package pydataset is not installed")
    with tarfile.open(place / "resources.tar.gz") as archive:
        file = archive.extractfile(f"resources/rdata/csv/{member}.csv")
        return pd.read_csv(file, index_col=0)


def penguins(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Which species a penguin is."""
    return frame.drop(columns=["species", "year"]), frame["species"]


def fair(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Who had an affair."""
    return frame.drop(columns="affairs"), frame["affairs"] > 0


def hdma(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Who is denied a mortgage."""
    return frame.drop(columns="deny"), frame["deny"] == "yes"


def hi(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Who has health insurance from her own job."""
    return frame.drop(columns="whi"), frame["whi"] == "yes"


def flchain(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Who died; the chapter of the cause and the time would tell."""
    return frame.drop(columns=["death", "futime", "chapter"]), frame["death"] == 1


def diamonds(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """How a diamond is cut."""
    return frame.drop(columns="cut"), frame["cut"]


PREPARED: dict[str, Callable[[pd.DataFrame], tuple[pd.DataFrame, pd.Series]]] = {
    "penguins": penguins,
    "fair": fair,
    "hdma": hdma,
    "hi": hi,
    "flchain": flchain,
    "diamonds": diamonds,
}
