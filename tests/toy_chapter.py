"""A chapter that exists only in tests, and how it is put where chapters are found."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd
import pytest

from compactml import chapters
from compactml.study import Chapter, Finished, Kind, Profile, Table, Trial
from compactml.study.judging.claims import Claim
from compactml.study.judging.evidence import Coverage, Evidence, Share

Rows = Callable[[Sequence[Finished]], pd.DataFrame]


@dataclass(frozen=True)
class Toy:
    seed: int


def run(trial: Trial) -> Toy:
    if trial.seed == 3:
        raise ValueError("was asked to fail")
    if trial.seed == 2 and "TOY_FLAG" in os.environ:
        Path(os.environ["TOY_FLAG"]).touch()
        time.sleep(60)
    if trial.seed == 1 and "TOY_KILL" in os.environ:
        assert os.getpid() != int(os.environ["TOY_KILL"]), "this would end the tests"
        os.kill(os.getpid(), signal.SIGKILL)
    return Toy(trial.seed)


def trials(n: int) -> Callable[[Profile], list[Trial]]:
    """So many trials, and one that fails in the whole protocol."""

    def of_profile(profile: Profile) -> list[Trial]:
        return [
            Trial("toy", "kind", "synthetic:none", seed=seed)
            for seed in range(4 if profile is Profile.PAPER else n)
        ]

    return of_profile


def rows(finished: Sequence[Finished], value: float = 1.0, by: Sequence[str] = ("dataset",)) -> pd.DataFrame:
    """One row for each dataset, or for each combination of columns."""
    found = [{"dataset": item.trial.dataset, "seed": item.trial.seed, "value": value} for item in finished]
    frame = pd.DataFrame(found, columns=["dataset", "seed", "value"])
    return frame.groupby(list(by), as_index=False)["value"].mean()


def one_is_one(tables: Mapping[str, pd.DataFrame]) -> Evidence:
    value = tables["table_1"]["value"][0]
    return Evidence.of_statement(value == 1, f"found {value}", coverage=Coverage(Share(1, 1, "dataset")))


def no_recipe_needed(trial: Trial) -> tuple[type, tuple[()]]:
    return tuple, ()


CHAPTER = Chapter(
    name="toy",
    place=9,
    title="Toy",
    citation="toy",
    kinds=(Kind("kind", run, Toy, lambda trial: 60.0, no_recipe_needed),),
    tables=(Table("table_1", trials(2), rows, ("dataset",)), Table("fig_1", trials(3), rows, ("dataset",))),
    claims=(Claim("toy/one", "toy", "Table 1", "One is one", "exact", "logic", one_is_one),),
)
LAZY = '''"""A chapter that is found by its folder."""

from importlib import import_module


def __getattr__(name):
    if name == "CHAPTER":
        return import_module("{module}").CHAPTER
    raise AttributeError(name)
'''


def with_rows(rows: Rows, *key: str) -> Chapter:
    """The chapter with other rows in its tables."""
    tables = [replace(table, rows=rows, key=("dataset", *key)) for table in CHAPTER.tables]
    return replace(CHAPTER, tables=tuple(tables))


def write_folder(folder: Path, module: str = "tests.toy_chapter", name: str = "toy") -> str:
    """Write a chapter's folder whose ``CHAPTER`` is that of a module; returns where chapters are found with it."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").touch()
    (folder / name / "chapter.py").write_text(LAZY.replace("{module}", module), encoding="utf-8")
    return str(folder)


def add_chapter(
    monkeypatch: pytest.MonkeyPatch, folder: Path, module: str = "tests.toy_chapter", name: str = "toy"
) -> None:
    """Have a chapter found, in this process, until the test ends; another of the same name is forgotten."""
    for loaded in (f"{chapters.__name__}.{name}", f"{chapters.__name__}.{name}.chapter"):
        monkeypatch.delitem(sys.modules, loaded, raising=False)
    monkeypatch.setattr(chapters, "__path__", [*chapters.__path__, write_folder(folder, module, name)])
