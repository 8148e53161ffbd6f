"""Every dataset at hand has the registered shape, counts and plain types; a wrong one is refused."""

from __future__ import annotations

import hashlib
import zipfile

import numpy as np
import pandas as pd
import pytest

from compactml.datasets import (
    ChecksumMismatch,
    DatasetMismatch,
    DatasetNotAvailable,
    UnpinnedDataWarning,
    archives,
    available,
    content_hash,
    keys,
    load,
    loading,
)
from compactml.datasets.loading import Dataset, single_table
from compactml.datasets.registry import entry
from compactml.datasets.storage import locate
from compactml.datasets.tables import Table
from tests.datasets.toy_data import CONTENT, place

MISSING_CELLS = {
    "adult": 6465, "breast_cancer_ljubljana": 9, "breast_cancer_original": 16, "heart_cleveland": 6,
    "ilpd": 4, "lung_cancer": 5, "mushroom": 2480,
}  # fmt: skip
"""As the data descriptions give them; adult: 4262 of the training and 2203 of the test file."""

TEXT_FEATURES = {"adult", "bank_marketing", "bank_marketing_full", "breast_cancer_ljubljana", "ilpd"}
ALL_TEXT = {"mushroom", "tic_tac_toe"}


def at_hand(key: str) -> Dataset:
    if not available(key):
        pytest.skip(f"{key}: no file at hand")
    return load(key)


@pytest.fixture(scope="module", params=keys())
def data(request: pytest.FixtureRequest) -> Dataset:
    return at_hand(request.param)


def test_a_dataset_at_hand_is_as_registered(data: Dataset):
    own = entry(data.name)
    assert data.X.shape == (own.n_rows, own.n_features)
    assert not own.class_counts or {str(k): n for k, n in data.y.value_counts().items()} == own.class_counts
    assert data.task == own.task
    assert len(data.sha256) == 64
    pd.testing.assert_index_equal(data.X.index, pd.RangeIndex(own.n_rows))
    pd.testing.assert_index_equal(data.y.index, data.X.index)
    assert data.X.columns.is_unique
    assert {type(name) for name in data.X.columns} == {str}
    assert data.y.name not in data.X.columns


def test_columns_are_numbers_unless_the_file_holds_text(data: Dataset):
    types = {str(dtype) for dtype in data.X.dtypes}
    if data.name in ALL_TEXT:
        assert types == {"str"}
    elif data.name in TEXT_FEATURES:
        assert "str" in types
        assert types <= {"int64", "float64", "str"}
    else:
        assert types <= {"int64", "float64"}
        assert np.isfinite(data.X.to_numpy(float)).all() or data.name in MISSING_CELLS
    assert str(data.y.dtype) in (("float64", "int64") if data.task == "regression" else ("int64", "str"))


def test_missing_values_are_kept_and_only_where_the_description_has_them(data: Dataset):
    assert int(data.X.isna().sum().sum()) == MISSING_CELLS.get(data.name, 0)
    assert not data.y.isna().any()


@pytest.mark.parametrize("key", ["iris", "wdbc"])
def test_scikit_learns_copy_equals_the_file(key: str, tmp_path, monkeypatch):
    if not any(locate(file) for file in entry(key).files):
        pytest.skip(f"{key}: no file at hand")
    from_file = load(key)
    monkeypatch.setenv("COMPACTML_DATA", str(tmp_path))
    monkeypatch.setenv("COMPACTML_CACHE", str(tmp_path))
    assert available(key)
    built_in = load(key)
    pd.testing.assert_frame_equal(built_in.X, from_file.X)
    pd.testing.assert_series_equal(built_in.y, from_file.y)
    assert content_hash(built_in) == content_hash(from_file)
    assert "scikit-learn" in built_in.source
    assert "scikit-learn" not in from_file.source


def test_a_wrong_file_is_not_replaced_by_scikit_learns_copy(folders):
    place(folders[0], b"5.1,3.5,1.4,0.2,Iris-setosa\n", "iris", "iris.data")
    assert not available("iris")
    with pytest.raises(ChecksumMismatch):
        load("iris")


def test_labels_that_a_paper_depends_on():
    wdbc = load("wdbc")
    # malignant nuclei are larger: class 0 is malignant
    assert wdbc.X["mean radius"][wdbc.y == 0].mean() > wdbc.X["mean radius"][wdbc.y == 1].mean()
    magic = at_hand("magic")
    # hadron showers point less often to the centre: a larger angle, class 0
    assert magic.X["fAlpha"][magic.y == 0].mean() > magic.X["fAlpha"][magic.y == 1].mean()


def test_the_misspelt_yes_of_the_ljubljana_copy_is_put_right():
    data = at_hand("breast_cancer_ljubljana")
    assert set(data.X["node-caps"].dropna()) == set(data.X["irradiat"]) == {"yes", "no"}


def test_bonn_recordings_are_cut_as_the_uci_file():
    data = at_hand("epileptic_seizure")
    assert (data.X.to_numpy().min(), data.X.to_numpy().max()) == (-1885, 2047)
    # neighbouring pieces of one recording continue each other, pieces of different recordings do not
    values = data.X.to_numpy().reshape(500, 23, 178)
    within = np.abs(values[:, 1:, 0] - values[:, :-1, -1]).mean()
    across = np.abs(values[1:, 0, 0] - values[:-1, -1, -1]).mean()
    assert within < across / 2


def test_bonn_recordings_get_the_classes_of_the_uci_file_in_order(tmp_path):
    path = tmp_path / archives.EEG_FILE
    with zipfile.ZipFile(path, "w") as archive:
        for letter, offset in {"Z": 0, "O": 10_000, "N": 20_000, "F": 30_000, "S": 40_000}.items():
            samples = "\n".join(str(offset + sample) for sample in range(4097))
            archive.writestr(f"a/{letter}/{letter}001.TXT", samples)
            archive.writestr(f"a/__MACOSX/{letter}/._{letter}001.TXT", b"\x00")
    X, y = archives.epileptic_seizure({path.name: path})
    assert y.tolist() == [label for label in (1, 2, 3, 4, 5) for _ in range(23)]
    # UCI description: 1 seizure (S), 2 tumour area (F), 3 healthy area (N), 4 eyes closed (O), 5 eyes open (Z)
    starts = [40_000, 30_000, 20_000, 10_000, 0]
    assert X["X1"].tolist() == [start + 178 * piece for start in starts for piece in range(23)]
    assert (X["X178"] - X["X1"] == 177).all()


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setitem(loading.LOADERS, "toy", lambda files: single_table(Table(), files))


def test_load_checks_the_shape(folders, toy_registry, toy):
    toy_registry(n_rows=30_001)
    place(folders[0], CONTENT)
    with pytest.raises(DatasetMismatch, match=r"shape must be \(30001, 2\), got \(30000, 2\)"):
        load("toy")


def test_load_checks_the_class_counts(folders, toy_registry, toy):
    swapped = CONTENT.replace(b"3,4.5,y\n", b"3,4.5,x\n", 1)
    toy_registry(content=swapped)
    place(folders[0], swapped)
    with pytest.raises(DatasetMismatch, match="class counts must be"):
        load("toy")


def test_load_checks_the_target_range_and_missing_targets():
    airfoil = entry("airfoil")
    X, y = pd.DataFrame(np.zeros((1503, 5))), pd.Series(np.linspace(103.38, 140.9, 1503))
    with pytest.raises(DatasetMismatch, match="target range"):
        loading.checked(airfoil, Dataset(X, y, "regression", "airfoil", "", ""))
    with pytest.raises(DatasetMismatch, match="missing targets"):
        loading.checked(airfoil, Dataset(X, y.mask(y > 140), "regression", "airfoil", "", ""))


def test_an_unpinned_file_loads_and_a_warning_and_the_source_say_so(folders, toy_registry, toy):
    toy_registry(pinned=False)
    place(folders[0], CONTENT)
    with pytest.warns(UnpinnedDataWarning, match=hashlib.sha256(CONTENT).hexdigest()):
        assert load("toy").source.endswith("hash not pinned")


def test_an_unpinned_file_of_another_format_is_refused(folders):
    place(folders[0], b"not an archive", "gas_drift", "Dataset.zip")
    with pytest.raises(DatasetMismatch, match="file content must be in the upstream format, got BadZipFile"):
        load("gas_drift")


def test_load_never_downloads(folders, toy_registry, monkeypatch):
    monkeypatch.setattr(
        "requests.sessions.Session.request", lambda *_, **__: pytest.fail("went to the network")
    )
    toy_registry("http://127.0.0.1:9/toy.csv")
    assert not available("toy")
    with pytest.raises(DatasetNotAvailable):
        load("toy")


def test_the_content_hash_sees_values_names_types_and_gaps_and_nothing_else():
    X = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    y = pd.Series([0, 1], name="y")
    base = Dataset(X, y, "classification", "base", "here", "")
    changes = [
        Dataset(X.assign(a=[1, 3]), y, "classification", "", "", ""),
        Dataset(X.rename(columns={"a": "c"}), y, "classification", "", "", ""),
        Dataset(X.astype({"a": "float64"}), y, "classification", "", "", ""),
        Dataset(X.fillna("None"), y, "classification", "", "", ""),
        Dataset(X, y[::-1], "classification", "", "", ""),
        Dataset(X, y.rename("z"), "classification", "", "", ""),
        Dataset(X[["b", "a"]], y, "classification", "", "", ""),
    ]
    hashes = {content_hash(base), *map(content_hash, changes)}
    assert len(hashes) == 1 + len(changes)
    assert content_hash(Dataset(X.copy(), y.copy(), "classification", "other", "there", "f")) == content_hash(
        base
    )
