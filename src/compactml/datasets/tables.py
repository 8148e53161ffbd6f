"""Delimited text files: a small specification per dataset, and the one function that reads by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from gzip import GzipFile
from pathlib import Path
from typing import IO, Any

import pandas as pd

from compactml.datasets import columns as names

Source = Path | IO[bytes] | GzipFile
Parsed = tuple[pd.DataFrame, pd.Series]


@dataclass(frozen=True)
class Table:
    """How one delimited text file becomes features and a target.

    ``columns`` is None where the file has a header line. ``target`` names the target column (None: the last
    one), ``drop`` columns that are no features (identifiers), ``na`` the text of a missing value, ``skip``
    file lines to leave out, ``labels`` a recoding of the target.
    """

    columns: tuple[str, ...] | None = None
    target: str | None = None
    drop: tuple[str, ...] = ()
    sep: str = ","
    na: str = ""
    skip: tuple[int, ...] = ()
    labels: Mapping[Any, Any] | None = None


def read_frame(table: Table, source: Source, **options: Any) -> pd.DataFrame:
    """Read all columns of a delimited file, missing values as NaN."""
    frame = pd.read_csv(
        source,
        sep=table.sep,
        header=0 if table.columns is None else None,
        names=None if table.columns is None else list(table.columns),
        index_col=False,
        skiprows=list(table.skip),
        na_values=[table.na],
        keep_default_na=False,
        skipinitialspace=True,
        **options,
    )
    frame = frame.drop(columns=list(table.drop))
    for name in frame.select_dtypes("str"):
        frame[name] = frame[name].str.strip()
    return frame


def split(table: Table, frame: pd.DataFrame) -> Parsed:
    """Split a frame into features and target, and recode the target where the table says so."""
    target = table.target or str(frame.columns[-1])
    y = frame[target]
    if table.labels is not None:
        y = y.map(table.labels)
    return frame.drop(columns=target), y


def read_table(table: Table, source: Source) -> Parsed:
    """Read a delimited file into features and target."""
    return split(table, read_frame(table, source))


TABLES: Mapping[str, Table] = {
    "iris": Table(columns=names.IRIS),
    "wdbc": Table(columns=names.WDBC, target="diagnosis", drop=("id",), labels={"M": 0, "B": 1}),
    "parkinsons": Table(target="status", drop=("name",)),
    "blood_transfusion": Table(),
    "wine_quality_red": Table(sep=";"),
    "wine_quality_white": Table(sep=";"),
    "waveform_v2": Table(columns=names.WAVEFORM),
    "robot_navigation": Table(columns=names.ROBOT),
    "magic": Table(columns=names.MAGIC, labels={"h": 0, "g": 1}),
    "airfoil": Table(columns=names.AIRFOIL, sep="\t"),
    "banknote": Table(columns=names.BANKNOTE),
    "breast_cancer_original": Table(columns=names.BREAST_CANCER_ORIGINAL, drop=("id",), na="?"),
    "breast_cancer_original_fipe": Table(),
    "cnae9": Table(columns=names.CNAE9, target="class"),
    "compas": Table(),
    "default_credit_card": Table(),
    "elec2": Table(),
    "fico_binary": Table(),
    "heart_cleveland": Table(columns=names.HEART_CLEVELAND, na="?"),
    "heart_statlog": Table(columns=names.HEART_STATLOG, sep=" "),
    # the two lines under the header hold column types and actionability, not applicants
    "heloc": Table(target="RiskPerformance", skip=(1, 2)),
    "hill_valley": Table(),
    "house_16h": Table(),
    "htru2": Table(),
    "ilpd": Table(columns=names.ILPD),
    "ionosphere": Table(columns=names.IONOSPHERE),
    "letter": Table(columns=names.LETTER, target="lettr"),
    "liver": Table(),
    "lung_cancer": Table(columns=names.LUNG_CANCER, target="class", na="?"),
    "mushroom": Table(columns=names.MUSHROOM, target="class", na="?"),
    "musk_v1": Table(
        columns=names.MUSK, drop=("molecule_name", "conformation_name"), labels={0.0: 0, 1.0: 1}
    ),
    "optdigits": Table(columns=names.OPTDIGITS),
    "pima": Table(columns=names.PIMA),
    "pol": Table(),
    "qsar_biodegradation": Table(columns=names.QSAR, sep=";"),
    "scadi": Table(),
    "seeds": Table(columns=names.SEEDS, sep=r"\s+"),
    "sonar": Table(columns=names.SONAR),
    "spambase": Table(columns=names.SPAMBASE),
    "sports_articles": Table(target="Label"),
    "tic_tac_toe": Table(columns=names.TIC_TAC_TOE),
    "urban_land_cover": Table(target="class"),
    "zoo": Table(columns=names.ZOO, target="type", drop=("animal name",)),
    "musk_v2": Table(sep="\t", target="target", drop=("molecule_name", "conformation_name")),
}
