from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from compactml.errors import CompactmlError
from compactml.study.recording.errors import NotPublished, NotRecorded, RepositoryNotFound
from compactml.study.recording.published import home, published


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository" / "data" / "published" / "toy_chapter"
    folder.mkdir(parents=True)
    (folder / "table_1.csv").write_text("dataset,value\niris,1.0000\nNone,\n", encoding="utf-8")
    return tmp_path / "repository"


def test_values_are_the_printed_text(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPACTML_HOME", str(repository))
    assert published("toy-chapter", "table_1").to_dict("list") == {
        "dataset": ["iris", "None"],
        "value": ["1.0000", ""],
    }
    with pytest.raises(NotPublished, match=r"toy-chapter has no published numbers for 'table_2'"):
        published("toy-chapter", "table_2")


def test_home_is_named_or_found_upwards(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMPACTML_HOME", raising=False)
    (repository / "notebooks" / "deep").mkdir(parents=True)
    monkeypatch.chdir(repository / "notebooks" / "deep")
    assert home() == repository
    monkeypatch.chdir(tmp_path)  # no repository above: the package's own
    assert home() == Path(__file__).parents[2]
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    with pytest.raises(RepositoryNotFound, match="COMPACTML_HOME: must name"):
        home()


@pytest.mark.parametrize(
    ("table", "shape"), [("table_1", (21, 6)), ("table_2", (21 * 4 * 5, 4)), ("table_3", (21 * 2 * 6, 4))]
)
def test_condition_sharing_tables_are_whole(table: str, shape: tuple[int, int]) -> None:
    assert published("condition-sharing", table).shape == shape


@pytest.mark.parametrize(
    "error", [NotPublished("c", "t", "p"), NotRecorded("t"), RepositoryNotFound("x", "y")]
)
def test_errors_pickle(error: CompactmlError) -> None:
    assert isinstance(error, LookupError | FileNotFoundError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
