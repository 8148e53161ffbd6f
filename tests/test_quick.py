"""The quick run covers every folder of tests but the slow ones, and every claim, and what it leaves out exists."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.quick import SLOW, SLOW_FOLDERS, WHOLE, is_slow

TESTS = Path(__file__).parent
ROOT = TESTS.parent


def functions(path: Path) -> set[str]:
    """Names of the tests of a file, as pytest writes them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    where = path.relative_to(ROOT).as_posix()
    names = {f"{where}::{node.name}" for node in tree.body if isinstance(node, ast.FunctionDef)}
    for group in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        names |= {
            f"{where}::{group.name}::{node.name}" for node in group.body if isinstance(node, ast.FunctionDef)
        }
    return {name for name in names if name.rpartition("::")[2].startswith("test_")}


BY_FOLDER: dict[Path, set[str]] = {}
for file in sorted(TESTS.rglob("test_*.py")):
    BY_FOLDER.setdefault(file.parent, set()).update(functions(file))


def test_what_is_left_out_exists() -> None:
    names = set.union(*BY_FOLDER.values())
    assert names >= SLOW
    assert all(any(name.startswith(folder) for name in names) for folder in SLOW_FOLDERS)


def test_what_kills_and_damages_is_left_out_as_a_whole() -> None:
    assert all(map(is_slow, BY_FOLDER[TESTS / "faults"]))
    assert not [name for name in SLOW if name.startswith(SLOW_FOLDERS)]  # the folder says it


def test_every_folder_keeps_most_of_its_tests() -> None:
    for folder, names in BY_FOLDER.items():
        if any(f"{folder.relative_to(ROOT).as_posix()}/".startswith(slow) for slow in SLOW_FOLDERS):
            continue
        assert len(names - SLOW) >= len(names) / 3, folder


def test_no_claim_is_left_out() -> None:
    assert not [name for name in SLOW if any(f"/{file}::test_claim" in name for file in WHOLE)]
