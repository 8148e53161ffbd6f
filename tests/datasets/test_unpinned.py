"""Loaders of the sets that were never held, on a few made-up rows in the upstream format."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from compactml.datasets.loading import LOADERS, tidy
from compactml.datasets.registry import entry


def parse(key: str, path: Path) -> tuple[pd.DataFrame, pd.Series]:
    (file,) = entry(key).files
    assert path.name == file.name
    X, y = tidy(*LOADERS[key]({file.name: path}))
    assert X.shape[1] == entry(key).n_features or key == "rna_seq_pancan"  # made up with three genes only
    assert len(X) == len(y)
    assert list(X.index) == list(y.index) == list(range(len(X)))
    return X, y


def zipped(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def test_aps_scania(tmp_path):
    path = tmp_path / "aps_failure_training_set.csv"
    header = ",".join(["class", *(f"c{i}" for i in range(170))])
    rows = ["neg," + ",".join(["1"] * 169 + ["na"]), "pos," + ",".join(["2.5"] * 170)]
    path.write_text("\n".join(["A licence, with commas", "", "more of it", header, *rows]) + "\n")
    X, y = parse("aps_scania", path)
    assert list(y) == ["neg", "pos"]
    assert list(X["c0"]) == [1.0, 2.5]
    assert X.isna().sum().sum() == 1
    assert np.isnan(X.loc[0, "c169"])


def test_rna_seq_pancan(tmp_path):
    path = tmp_path / "TCGA-PANCAN-HiSeq-801x20531.tar.gz"
    members = {
        "data.csv": ",gene_0,gene_1,gene_2\nsample_0,0.5,1,2\nsample_1,3,4,5\n",
        "labels.csv": ",Class\nsample_1,LUAD\nsample_0,PRAD\n",  # another order: rows are matched by name
    }
    with tarfile.open(path, "w:gz") as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(f"TCGA-PANCAN-HiSeq-801x20531/{name}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    X, y = parse("rna_seq_pancan", path)
    assert list(X.columns) == ["gene_0", "gene_1", "gene_2"]
    assert X.to_numpy().tolist() == [[0.5, 1, 2], [3, 4, 5]]
    assert list(y) == ["PRAD", "LUAD"]


def test_gas_drift_batches_are_in_the_order_of_their_numbers(tmp_path):
    line = "{gas} 1:{first} " + " ".join(f"{index}:0.5" for index in range(2, 129)) + "\n"
    members = {f"Dataset/batch{n}.dat": line.format(gas=n % 6 + 1, first=n) for n in (10, 1, 2)}
    X, y = parse("gas_drift", zipped(tmp_path / "Dataset.zip", members))
    assert list(X["f1"]) == [1, 2, 10]
    assert (X["f128"] == 0.5).all()
    assert list(y) == [2, 3, 5]


@pytest.mark.parametrize("city", ["Adelaide", "Perth", "Sydney", "Tasmania"])
def test_wave_energy_reads_its_own_city(tmp_path, city):
    members = {
        f"WECs_DataSet/{name}_Data.csv": ",".join(map(str, range(48))) + f",{offset}\n"
        for offset, name in enumerate(["Adelaide", "Perth", "Sydney", "Tasmania"], start=1000)
    }
    X, y = parse(f"wec_{city.lower()}", zipped(tmp_path / "WECs_DataSet.zip", members))
    assert X.iloc[0].tolist() == list(range(48))
    assert list(X.columns[[0, 16, 32]]) == ["X1", "Y1", "P1"]
    assert y.tolist() == [float(members[f"WECs_DataSet/{city}_Data.csv"].rsplit(",", 1)[1])]


def test_year_prediction_msd(tmp_path):
    text = "2001," + ",".join(["0.25"] * 90) + "\n" + "1950," + ",".join(["-3"] * 90) + "\n"
    path = zipped(tmp_path / "YearPredictionMSD.txt.zip", {"YearPredictionMSD.txt": text})
    X, y = parse("year_prediction_msd", path)
    assert y.tolist() == [2001, 1950]
    assert X["timbre_covariance78"].tolist() == [0.25, -3]


def test_hepmass(tmp_path):
    header = "# label," + ",".join(f"f{i}" for i in range(27)) + ",mass\n"
    row = "{label}," + ",".join(["1.5"] * 27) + ",{mass}\n"
    text = header + row.format(label="1.000000000000000000e+00", mass=750) + row.format(label="0.0", mass=500)
    path = tmp_path / "all_train.csv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    X, y = parse("hepmass", path)
    assert y.tolist() == [1, 0]
    assert y.dtype == "int64"
    assert X["mass"].tolist() == [750, 500]


def test_usps_asu(tmp_path):
    path = tmp_path / "USPS.mat"
    savemat(path, {"X": np.arange(512.0).reshape(2, 256), "Y": np.array([[1], [10]], dtype=np.uint8)})
    X, y = parse("usps_asu", path)
    assert X.iloc[1, 255] == 511
    assert y.tolist() == [1, 10]
