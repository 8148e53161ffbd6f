"""A chapter, a table, a claim, a solver are added to a copy of the repository, in as few files as CONTRIBUTING says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAME, FOLDER = "seventh-paper", "seventh_paper"
COPIED = (
    "src",
    "data/published",
    "template",
    "scripts",
    "book",
    "notebooks",
    "tests",
    "_toc.yml",
    "pyproject.toml",
)
SHARED = {"_toc.yml", "book/references.bib"}
"""All that chapters share and a new one changes."""
MADE = ".ipynb"
"""What `make pair` writes beside a text is not counted."""


class Checkout:
    """A copy of the repository with a commit."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.root), "-c", "user.name=a", "-c", "user.email=b", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def changed(self) -> set[str]:
        """Files that differ from the commit, new ones too."""
        self.git("add", "-A")
        files = self.git("diff", "--cached", "--name-only").splitlines()
        return {name for name in files if not name.endswith(MADE)}

    def python(self, *arguments: str) -> str:
        variables = os.environ | {
            "PYTHONPATH": f"{self.root / 'src'}{os.pathsep}{self.root}",
            "COMPACTML_HOME": str(self.root),
            "COMPACTML_STORE": str(self.root.parent / "results.sqlite"),
        }
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=self.root, env=variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def pytest(self, *arguments: str) -> None:
        self.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", FOLDER.split("_")[0], *arguments)

    def apply(self, patch: str) -> set[str]:
        """Apply a patch of the template and return the files that it changes."""
        self.git("apply", str(self.root / "template" / "patches" / f"{patch}.patch"))
        return self.changed()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    root = tmp_path_factory.mktemp("copy") / "repository"
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--", *COPIED], capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, root / name)
    checkout = Checkout(root)
    checkout.git("init", "-q")
    checkout.git("add", "-A")
    checkout.git("commit", "-qm", "as it is")
    return checkout


@pytest.fixture
def clean(copy: Checkout) -> Checkout:
    copy.git("reset", "-q", "--hard")
    copy.git("clean", "-qfd")
    return copy


@pytest.fixture
def chapter(clean: Checkout) -> Iterator[Checkout]:
    """The copy with a seventh chapter as a second commit, which is taken back."""
    clean.python("scripts/new_chapter.py", NAME)
    clean.git("add", "-A")
    clean.git("commit", "-qm", "a chapter")
    yield clean
    clean.git("reset", "-q", "--hard", "HEAD~1")


def test_a_chapter_changes_two_shared_files_and_is_found_checked_and_recorded(clean: Checkout) -> None:
    clean.python("scripts/new_chapter.py", NAME)
    shared = {name for name in clean.changed() if FOLDER not in name}
    assert shared == SHARED
    assert f"{NAME}\n" in clean.python(
        "-c", "from compactml import chapters; print(*chapters.names(), sep='\\n')"
    )
    clean.git("commit", "-qm", "a chapter")
    try:
        said = clean.python("-m", "compactml.cli", "run", NAME, "--table", "1", "--record", "--official")
        assert "table_1: 4 of 4 trials" in said
        said = clean.python("-m", "compactml.cli", "claims", NAME, "--record", "--official")
        assert "reproduced" in said
        clean.pytest(
            "tests/study/test_every_chapter.py", "tests/study/test_fingerprint.py", f"tests/chapters/{FOLDER}"
        )
    finally:
        clean.git("reset", "-q", "--hard", "HEAD~1")


def test_a_table_of_a_new_kind_takes_four_files(chapter: Checkout) -> None:
    changed = chapter.apply("table")
    assert len(changed) <= 4
    assert all(FOLDER in name for name in changed)
    said = chapter.python("-m", "compactml.cli", "run", NAME, "--table", "2")
    assert "table_2: 4 of 4 trials" in said


def test_a_claim_takes_two_files(chapter: Checkout) -> None:
    assert len(chapter.apply("claim")) <= 2
    chapter.pytest(f"tests/chapters/{FOLDER}")
    assert f"{NAME}/even" in chapter.python("-m", "compactml.cli", "claims", NAME)


def test_a_solver_takes_two_files(clean: Checkout) -> None:
    assert len(clean.apply("solver")) <= 2
    program = (
        "from compactml.solvers import MixedIntegerProgram, solve, usable_solvers\n"
        "print(solve(MixedIntegerProgram([1.0], [[1.0]], row_lower=2.0), 'brute').objective, *usable_solvers())"
    )
    said = clean.python("-c", program)
    assert said.startswith("2.0 ")
    assert "brute" in said
