"""No row of the official record is made of files whose SHA-256 is not registered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from compactml.chapters import every_chapter
from compactml.datasets import loading
from compactml.datasets.archives import single_table
from compactml.datasets.prepared import prepared
from compactml.datasets.registry import Entry
from compactml.datasets.tables import Table
from compactml.errors import CompactmlError
from compactml.study import Chapter, Finished, Kind, Store, Trial
from compactml.study.keys.fingerprint import data_identity
from compactml.study.recording import continuing
from compactml.study.recording.continuing import carry_on
from compactml.study.recording.errors import UnpinnedFiles
from compactml.study.recording.origins import summary
from compactml.study.recording.record_rules import Recording, check_files
from compactml.study.recording.recorded import recorded_provenance, recorded_tables
from compactml.study.recording.writing import Continued
from compactml.study.running import engine
from tests.datasets.conftest import folders, toy_registry
from tests.datasets.toy_data import CONTENT, place
from tests.toy_chapter import CHAPTER, no_recipe_needed

__all__ = ["folders", "toy_registry"]


@dataclass(frozen=True)
class Rows:
    n: int


def count(trial: Trial) -> Rows:
    return Rows(len(prepared(trial.dataset).X))


READING = Kind("kind", count, Rows, lambda trial: 1.0)
TOY = replace(CHAPTER, kinds=(READING,))
TRIALS = [Trial("toy", "kind", name) for name in ("toy", "tic_tac_toe_endgames")]


pytestmark = pytest.mark.filterwarnings("ignore::compactml.datasets.UnpinnedDataWarning")


@pytest.fixture(autouse=True)
def _read_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A dataset that only this test has; the tree here may have changes, which is another rule."""
    monkeypatch.setitem(loading.LOADERS, "toy", lambda files: single_table(Table(), files))
    monkeypatch.setattr(continuing, "check_origins", lambda finished: None)
    data_identity.cache_clear()
    yield
    data_identity.cache_clear()


def rows(folder: Path, official: bool, *trials: Trial) -> list[int]:
    """Run some trials for a record; returns how many rows each saw."""
    with Store(folder / "results.sqlite") as store:

        def run(some: Sequence[Trial]) -> list[Finished]:
            return engine.run(TOY, some, store=store)

        place = Recording(folder / "record", official=official)
        done: Continued = carry_on(TOY, {"table_1": list(trials)}, place, store, run)
    return [int(str(item.result["n"])) for item in done.done]


def test_an_unpinned_file_enters_no_official_record(
    folders: tuple[Path, Path], toy_registry: Callable[..., Entry], tmp_path: Path
) -> None:
    """Each way out that the message names is gone."""
    toy_registry(pinned=False)
    place(folders[0], CONTENT)
    with pytest.raises(
        UnpinnedFiles, match=r"registered SHA-256, got none for toy:.*--dataset.*--record DIR"
    ) as refused:
        rows(tmp_path, True, *TRIALS)
    assert isinstance(refused.value, CompactmlError)
    assert rows(tmp_path, True, TRIALS[1]) == [958]  # --dataset of another
    assert rows(tmp_path, False, *TRIALS) == [30_000, 958]  # --record DIR
    with pytest.raises(UnpinnedFiles):  # what the store has of it is no more than the file was
        rows(tmp_path, True, *TRIALS)
    toy_registry(pinned=True)
    data_identity.cache_clear()
    assert rows(tmp_path, True, *TRIALS) == [30_000, 958]


@pytest.mark.usefixtures("folders")
def test_an_unpinned_file_that_is_not_at_hand_is_left_out(
    toy_registry: Callable[..., Entry], tmp_path: Path
) -> None:
    toy_registry(pinned=False)
    assert rows(tmp_path, True, *TRIALS) == [958]


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("wec_perth", True),
        ("wec_adelaide_first_row_as_header", True),
        ("airfoil_first_row_as_header", False),
        ("iris", False),
        ("digits", False),
    ],
)
def test_a_reading_is_as_pinned_as_its_files(name: str, refused: bool) -> None:
    trials = [Trial("toy", "kind", "iris"), Trial("toy", "kind", name)]
    if refused:
        with pytest.raises(UnpinnedFiles) as error:
            check_files(TOY, trials)
        assert error.value.names == (name,)
    else:
        check_files(TOY, trials)


def test_generated_data_need_no_file() -> None:
    made = replace(TOY, kinds=(replace(READING, generated=no_recipe_needed),))
    check_files(made, [Trial("toy", "kind", "wec_perth")])


@pytest.mark.parametrize("chapter", every_chapter(), ids=lambda one: one.name)
def test_what_is_recorded_keeps_the_rule(chapter: Chapter) -> None:
    """By their names in the provenance; those of generated data are no datasets."""
    origins = [recorded_provenance(chapter.name, id) or summary([]) for id in recorded_tables(chapter.name)]
    names = {name for origin in origins for name in origin["dataset_seconds"]}
    assert names
    known = sorted(name for name in names if not name.startswith("synthetic"))
    check_files(TOY, [Trial(chapter.name, "kind", name) for name in known])
