"""Loaders of files that are not one delimited text: archives, workbooks, ARFF, and sets in several parts.

Each loader takes the paths of the needed files by file name.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import arff

from compactml.datasets import columns as names
from compactml.datasets.tables import Parsed, Table, read_frame, read_table, split

Files = Mapping[str, Path]
Loader = Callable[[Files], Parsed]

BANK_FILE = "bank+marketing.zip"
BLOG_FILE = "BlogFeedback.zip"
EEG_FILE = "Eplieptic Seizure Detection Dataset.zip"  # spelt so in its source
MESSIDOR_FILE = "messidor_features.arff"
REAL_ESTATE_FILE = "Real estate valuation data set.xlsx"

EEG_LABELS = {"S": 1, "F": 2, "N": 3, "O": 4, "Z": 5}
"""Class of the UCI file by the name of the Bonn recording set, in the order of the classes."""

EEG_PIECES, EEG_LENGTH = 23, 178
"""The UCI file cuts each recording of 4097 samples into 23 pieces of 178; the last 3 samples are not used."""


def single_table(table: Table, files: Files) -> Parsed:
    """Read the one needed file by its table."""
    (path,) = files.values()
    return read_table(table, path)


def adult_part(files: Files, name: str) -> pd.DataFrame:
    """Read ``adult.data``, or ``adult.test``, which starts with a comment and ends its labels with a stop."""
    table = Table(columns=names.ADULT, na="?", skip=(0,) if name == "adult.test" else ())
    frame = read_frame(table, files[name])
    return frame.assign(income=frame["income"].str.rstrip("."))


def adult(files: Files) -> Parsed:
    """Pool the training file and then the test file."""
    parts = [adult_part(files, name) for name in ("adult.data", "adult.test")]
    return split(Table(), pd.concat(parts, ignore_index=True))


def bank_marketing(files: Files) -> Parsed:
    """Read ``bank-additional-full.csv`` (41188 rows, 20 features) from the archive inside the archive."""
    return _nested_csv(files[BANK_FILE], "bank-additional.zip", "bank-additional/bank-additional-full.csv")


def bank_marketing_full(files: Files) -> Parsed:
    """Read ``bank-full.csv`` (45211 rows, 16 features) from the archive inside the archive."""
    return _nested_csv(files[BANK_FILE], "bank.zip", "bank-full.csv")


def breast_cancer_ljubljana(files: Files) -> Parsed:
    """Read the nine attributes; the registered copy spells "yes" as "1es", which is put right here."""
    table = Table(columns=names.BREAST_CANCER_LJUBLJANA, target="class", na="?")
    return split(table, read_frame(table, files["breast-cancer.data"]).replace("1es", "yes"))


def _nested_csv(path: Path, inner: str, member: str) -> Parsed:
    table = Table(sep=";")
    with zipfile.ZipFile(path) as outer, zipfile.ZipFile(io.BytesIO(outer.read(inner))) as archive:
        return split(table, read_frame(table, io.BytesIO(archive.read(member))))


def blog_feedback(files: Files) -> Parsed:
    """Pool the training file and then the 60 test files in the order of their names (their dates)."""
    table = Table(columns=names.BLOG)
    with zipfile.ZipFile(files[BLOG_FILE]) as archive:
        tests = sorted(name for name in archive.namelist() if name.startswith("blogData_test"))
        parts = []
        for member in ["blogData_train.csv", *tests]:
            with archive.open(member) as stream:
                parts.append(read_frame(table, stream, dtype=np.float64))
    return split(table, pd.concat(parts, ignore_index=True))


def diabetic_retinopathy(files: Files) -> Parsed:
    """Read the ARFF file, whose attributes are only numbered, under the names of the UCI description."""
    records, _ = arff.loadarff(files[MESSIDOR_FILE])
    frame = pd.DataFrame(records).set_axis(list(names.MESSIDOR), axis="columns")
    return split(Table(), frame.astype({"class": "int64"}))


def epileptic_seizure(files: Files) -> Parsed:
    """Cut the Bonn recordings as the UCI file was cut: piece k holds samples 178 (k - 1) to 178 k - 1.

    Rows are ordered by class, recording and piece; the shuffled order of the UCI file cannot be recovered.
    Source of the recordings: Andrzejak et al., Physical Review E 64 (2001) 061907.
    """
    pieces, labels = [], []
    with zipfile.ZipFile(files[EEG_FILE]) as archive:
        for letter, label in EEG_LABELS.items():
            for member in _recordings(archive, letter):
                samples = np.array(archive.read(member).split(), dtype=np.int64)
                pieces.append(samples[: EEG_PIECES * EEG_LENGTH].reshape(EEG_PIECES, EEG_LENGTH))
                labels += [label] * EEG_PIECES
    X = pd.DataFrame(np.concatenate(pieces), columns=list(names.EPILEPTIC))
    return X, pd.Series(labels, name="y")


def _recordings(archive: zipfile.ZipFile, letter: str) -> list[str]:
    """Return members ``.../<letter>/<letter><number>.txt`` (suffix in any case), sorted by number."""
    paths = [Path(member) for member in archive.namelist() if "__MACOSX" not in member]
    own = [path for path in paths if path.parent.name == letter and path.suffix.lower() == ".txt"]
    return [path.as_posix() for path in sorted(own, key=lambda path: path.stem)]


def real_estate_sheet(files: Files) -> pd.DataFrame:
    """Read the whole sheet: the running number ``No``, six features and the price per unit area."""
    return pd.read_excel(files[REAL_ESTATE_FILE], engine="openpyxl")


def real_estate(files: Files) -> Parsed:
    """Read the six features; the running number is an identifier and is dropped."""
    return split(Table(), real_estate_sheet(files).drop(columns="No"))


def semeion(files: Files) -> Parsed:
    """Read 256 pixels; the digit is the position of the 1 among the last ten columns."""
    table = Table(columns=names.SEMEION, sep=r"\s+")
    frame = read_frame(table, files["semeion.data"])
    digits = frame.iloc[:, 256:].to_numpy().argmax(axis=1)
    return frame.iloc[:, :256].astype("int64"), pd.Series(digits, name="digit")


def spectf(files: Files) -> Parsed:
    """Pool the training file and then the test file."""
    table = Table(columns=names.SPECTF, target="class")
    parts = [read_frame(table, files[name]) for name in ("SPECTF.train", "SPECTF.test")]
    return split(table, pd.concat(parts, ignore_index=True))


LOADERS: Mapping[str, Loader] = {
    "adult": adult,
    "bank_marketing": bank_marketing,
    "bank_marketing_full": bank_marketing_full,
    "blog_feedback": blog_feedback,
    "breast_cancer_ljubljana": breast_cancer_ljubljana,
    "diabetic_retinopathy": diabetic_retinopathy,
    "epileptic_seizure": epileptic_seizure,
    "real_estate": real_estate,
    "semeion": semeion,
    "spectf": spectf,
}
