"""Table 1 of Mehmanchi, Gómez and Prokopyev (2021): the datasets in the paper's order, and how they are read here.

A dataset is read as the paper read it as far as its numbers tell, errors included: the table "readings" of this
chapter has the evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.datasets.prepared import prepared
from compactml.feature_selection.building import Measures, measure
from compactml.feature_selection.discretize import Discretizer
from compactml.feature_selection.program import FractionalProgram, cfs_program, mrmr_program

Measure = Literal["mrmr", "cfs"]
MEASURES: tuple[Measure, ...] = ("mrmr", "cfs")

LEVELS, INTEGER, WIDTH, FREQUENCY = "levels", "integer", "equal_width", "equal_frequency"
"""How a column becomes discrete; "levels": every distinct value is a level of its own."""


@dataclass(frozen=True)
class PaperDataset:
    """One row of Table 1.

    Attributes
    ----------
    name : str
        As printed in Tables 2-7. Two names differ only in case: Breast_cancer (286 rows) and Breast_Cancer (569).
    key : str
        Name of the data here: a registered key or a variant.
    p, n : int
        Features and rows as printed.
    data_type : {"discrete", "continuous"}
        As printed. It decides the naive Bayes classifier: see `compactml.chapters.feature_selection.trials.scores`.
    discretizer : str
        The one taken for Tables 2-7.
    """

    name: str
    key: str
    p: int
    n: int
    data_type: str
    discretizer: str


DISCRETE, CONTINUOUS = "discrete", "continuous"
DATASETS = (
    PaperDataset("banknote_auth", "banknote", 4, 1372, CONTINUOUS, WIDTH),
    PaperDataset("Breast_cancer", "breast_cancer_ljubljana_last_column_as_class", 9, 286, DISCRETE, LEVELS),
    PaperDataset("Letter_Recog", "letter_last_column_as_class", 16, 20000, DISCRETE, LEVELS),
    PaperDataset("Zoo", "zoo_with_name", 17, 101, DISCRETE, LEVELS),
    PaperDataset("Breast_Cancer", "wdbc_with_id", 31, 569, CONTINUOUS, INTEGER),
    PaperDataset("SPECTF_Heart", "spectf", 44, 267, CONTINUOUS, WIDTH),
    PaperDataset("Lung_Cancer", "lung_cancer_last_column_as_class", 56, 32, DISCRETE, LEVELS),
    PaperDataset("Sports_articles", "sports_articles", 59, 1000, DISCRETE, LEVELS),
    PaperDataset("Connectionist", "sonar", 60, 208, CONTINUOUS, INTEGER),
    PaperDataset("Optical_Recog", "optdigits_without_constant_pixels", 62, 3823, DISCRETE, LEVELS),
    PaperDataset("Hill-Valley", "hill_valley", 100, 606, CONTINUOUS, WIDTH),
    PaperDataset("Urban_Land", "urban_land_cover", 147, 168, CONTINUOUS, WIDTH),
    PaperDataset("Epileptic_Seiz", "epileptic_seizure", 178, 11500, DISCRETE, WIDTH),
    PaperDataset("SCADI", "scadi", 205, 70, DISCRETE, LEVELS),
    PaperDataset("Semeion_Hand", "semeion", 256, 1593, DISCRETE, LEVELS),
    PaperDataset("USPS", "usps", 256, 9298, CONTINUOUS, WIDTH),
    PaperDataset("lung_discrete", "lung_discrete", 325, 73, DISCRETE, LEVELS),
    PaperDataset("Madelon", "madelon_training_rows", 500, 2000, CONTINUOUS, WIDTH),
    PaperDataset("ISOLET", "isolet", 617, 7797, CONTINUOUS, WIDTH),
    PaperDataset("Parkinson", "parkinsons_speech_with_id", 754, 756, CONTINUOUS, WIDTH),
    PaperDataset("CNAE-9", "cnae9_last_column_as_class", 856, 1080, DISCRETE, LEVELS),
    PaperDataset("Yale_32x32", "yale_32x32", 1024, 165, CONTINUOUS, WIDTH),
    PaperDataset("ORL_32x32", "orl_32x32", 1024, 400, CONTINUOUS, WIDTH),
    PaperDataset("colon", "colon", 2000, 62, DISCRETE, LEVELS),
    PaperDataset("PCMAC", "pcmac", 3289, 1943, DISCRETE, LEVELS),
)
LIVE = (
    PaperDataset("wdbc", "wdbc", 30, 569, CONTINUOUS, WIDTH),
    PaperDataset("digits", "digits", 64, 1797, DISCRETE, LEVELS),
)
"""Small datasets that ship with scikit-learn: the paper prints nothing of them, every build runs them."""
BY_KEY = {dataset.key: dataset for dataset in (*DATASETS, *LIVE)}


@lru_cache(maxsize=1)
def table(key: str) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    """Return the features of a dataset as numbers, and the codes of its classes.

    Text, and a column with missing values, becomes the codes of its sorted distinct texts, a missing value being one
    of them.

    Raises
    ------
    UnknownDataset, DatasetNotAvailable, ChecksumMismatch, DatasetMismatch
    """
    data = prepared(key)
    X = pd.DataFrame({name: _numbers(column) for name, column in data.X.items()})
    return X, _codes(data.y)


def _numbers(column: pd.Series) -> NDArray[np.generic]:
    plain = pd.api.types.is_numeric_dtype(column) and not column.isna().any()
    return column.to_numpy() if plain else _codes(column)


def _codes(column: pd.Series) -> NDArray[np.intp]:
    comparable = column if column.dtype.kind in "iu" else column.astype(object).map(str)  # NaN too is a text
    return np.unique(comparable.to_numpy(), return_inverse=True)[1]


def levels(X: pd.DataFrame) -> pd.DataFrame:
    """Number the distinct values of every column."""
    return X.apply(lambda column: np.unique(column, return_inverse=True)[1])


def measures(key: str, discretizer: str, *, drop_constant: bool = False) -> Measures:
    """Return the mutual informations of one reading of a dataset.

    Parameters
    ----------
    key : str
        A registered key or a variant.
    discretizer : str
        "levels", "integer", "equal_width", "equal_frequency", with a number of bins after a space where they are not
        the usual ones ("equal_width 5").
    drop_constant : bool, default False
        The paper kept constant features: the best set for Sports_articles is one of them.
    """
    X, y = table(key)
    name, _, bins = discretizer.partition(" ")
    chosen: Discretizer = (name, int(bins)) if bins else name
    if name == LEVELS:
        X, chosen = levels(X), None
    return measure(X, y, discretizer=chosen, drop_constant=drop_constant)


def program(one: Measures, objective: str, su: str = "geometric") -> FractionalProgram:
    """Return the fractional program of "mrmr" or of "cfs" with one of the formulas of SU."""
    return mrmr_program(one, count_own_entropy=True) if objective == "mrmr" else cfs_program(one, su=su)
