"""Loaders of the large sets whose files we have never held: written from the upstream descriptions.

Their SHA-256 is not known, so a file placed by hand is checked only for its shape and counts after parsing.
"""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zipfile
from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
from sklearn.datasets import load_svmlight_file

from compactml.datasets import columns as names
from compactml.datasets.archives import Files, Loader
from compactml.datasets.tables import Parsed, Table, read_frame, split

BYTES_A_CELL = 64
"""Far above what any of these texts takes for a number."""


def check_unpacked(paths: Files, n_cells: int) -> None:
    """Refuse archives that would unpack to far more than a table of so many cells takes.

    Raises
    ------
    ValueError
    """
    limit = n_cells * BYTES_A_CELL + 2**20
    for name, path in paths.items():
        unpacked = 0
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                unpacked = sum(member.file_size for member in archive.infolist())
        elif name.endswith(".tar.gz"):
            with tarfile.open(path) as tar:
                for member in tar:
                    unpacked += member.size
                    if unpacked > limit:
                        break
        if unpacked > limit:
            raise ValueError(f"{name} unpacks to {unpacked} bytes or more, at most {limit} are expected")


def aps_scania(files: Files) -> Parsed:
    """Read the training file: a licence text, a header line from ``class`` on, ``na`` for missing values."""
    with files["aps_failure_training_set.csv"].open(encoding="utf-8") as stream:
        preamble = next((number for number, line in enumerate(stream) if line.startswith("class,")), 0)
    table = Table(target="class", na="na", skip=tuple(range(preamble)))
    return split(table, read_frame(table, files["aps_failure_training_set.csv"]))


def rna_seq_pancan(files: Files) -> Parsed:
    """Read ``data.csv`` (gene expressions) and ``labels.csv`` from the archive; sample names are dropped."""
    with tarfile.open(files["TCGA-PANCAN-HiSeq-801x20531.tar.gz"]) as archive:
        members = {name.rsplit("/", 1)[-1]: name for name in archive.getnames()}
        X, labels = (
            pd.read_csv(io.BytesIO(_content(archive, members[name])), index_col=0)
            for name in ("data.csv", "labels.csv")
        )
    return X, labels["Class"].loc[X.index]


def _content(archive: tarfile.TarFile, member: str) -> bytes:
    stream = archive.extractfile(member)
    if stream is None:
        raise ValueError(f"{member}: must be a file, got a folder or link.")
    return stream.read()


def gas_drift(files: Files) -> Parsed:
    """Pool the batches in their order; each line is a gas number and 128 ``index:value`` pairs."""
    with zipfile.ZipFile(files["Dataset.zip"]) as archive:
        numbers = {name: re.search(r"batch(\d+)\.dat$", name) for name in archive.namelist()}
        batches = sorted((int(match[1]), name) for name, match in numbers.items() if match)
        parts = [load_svmlight_file(io.BytesIO(archive.read(name)), n_features=128) for _, name in batches]
    X = np.concatenate([features.toarray() for features, _ in parts])
    y = np.concatenate([gases for _, gases in parts]).astype("int64")
    return pd.DataFrame(X, columns=list(names.numbered("f", 128))), pd.Series(y, name="gas")


def wave_energy(city: str, files: Files) -> Parsed:
    """Read ``<city>_Data.csv``: 32 coordinates and 16 powers of the buoys, then the total power."""
    table = Table(columns=names.WAVE_ENERGY)
    with zipfile.ZipFile(files["WECs_DataSet.zip"]) as archive:
        member = next(name for name in archive.namelist() if name.endswith(f"{city}_Data.csv"))
        return split(table, read_frame(table, io.BytesIO(archive.read(member)), dtype=np.float64))


def year_prediction_msd(files: Files) -> Parsed:
    """Read the year and 90 timbre features of each song."""
    table = Table(columns=names.YEAR, target="year")
    with zipfile.ZipFile(files["YearPredictionMSD.txt.zip"]) as archive:
        (member,) = archive.namelist()
        with archive.open(member) as stream:
            return split(table, read_frame(table, stream))


def hepmass(files: Files) -> Parsed:
    """Read the training file with all masses: the label and 28 features, under a header line."""
    table = Table(columns=names.HEPMASS, target="label", skip=(0,), labels={0.0: 0, 1.0: 1})
    with gzip.open(files["all_train.csv.gz"]) as stream:
        return split(table, read_frame(table, stream))


LOADERS: Mapping[str, Loader] = {
    "aps_scania": aps_scania,
    "gas_drift": gas_drift,
    "hepmass": hepmass,
    "rna_seq_pancan": rna_seq_pancan,
    "wec_adelaide": partial(wave_energy, "Adelaide"),
    "wec_perth": partial(wave_energy, "Perth"),
    "wec_sydney": partial(wave_energy, "Sydney"),
    "wec_tasmania": partial(wave_energy, "Tasmania"),
    "year_prediction_msd": year_prediction_msd,
}
