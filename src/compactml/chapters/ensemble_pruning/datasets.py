"""Table 2 of Bastos, Brandão and Valle (2024): the datasets in the paper's order, and how they are read here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.datasets.prepared import prepared


@dataclass(frozen=True)
class PaperDataset:
    """One row of Table 2.

    Attributes
    ----------
    name, full_name : str
        As printed.
    key : str
        Registered key.
    positive : str or int
        Label of the positive class: the one of which there are as many rows as printed.
    features, n, n0, n1 : int
        Features, rows, negative and positive rows as printed. The features of some datasets count a label or a number
        of the row.
    """

    name: str
    full_name: str
    key: str
    positive: str | int
    features: int
    n: int
    n0: int
    n1: int


DATASETS = (
    PaperDataset("PRK", "Parkinsons", "parkinsons", 1, 23, 195, 48, 147),
    PaperDataset("MSK", "Musk (Version 1)", "musk_v1", 1, 168, 476, 269, 207),
    PaperDataset("BCW", "Breast Cancer Wisconsin", "wdbc", 0, 32, 569, 357, 212),
    PaperDataset("QSR", "QSAR biodegradation", "qsar_biodegradation", "NRB", 41, 1055, 356, 699),
    PaperDataset("DRD", "Diabetic Retinopathy Debrecen", "diabetic_retinopathy", 1, 20, 1151, 540, 611),
    PaperDataset("SPA", "Spambase", "spambase", 1, 57, 4601, 2788, 1813),
    PaperDataset("DEF", "Default of credit card clients", "default_credit_card", 1, 24, 30000, 23364, 6636),
    PaperDataset("BMK", "Bank Marketing", "bank_marketing", "yes", 21, 41188, 36548, 4640),
    PaperDataset("APS", "APS Failure at Scania Trucks", "aps_scania", "pos", 171, 60000, 59000, 1000),
)
BY_KEY = {dataset.key: dataset for dataset in DATASETS}


@lru_cache(maxsize=2)
def problem(key: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the features of a dataset as numbers and, for each row, whether it is positive.

    A column of text becomes one of 0 and 1 for each of its values; a missing number (APS only) becomes the median of
    its column. The paper does not say how it prepared the data.

    Returns
    -------
    (ndarray of float, shape (n, n_columns)), (ndarray of bool, shape (n,))

    Raises
    ------
    UnknownDataset, DatasetNotAvailable, ChecksumMismatch, DatasetMismatch
    """
    dataset = prepared(key)
    X = pd.get_dummies(dataset.X, dtype=float).astype(float)
    return X.fillna(X.median()).to_numpy(), (dataset.y == BY_KEY[key].positive).to_numpy()
