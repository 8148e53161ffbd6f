"""The README's commands exist and are those that continuous integration runs; the citation is of this version."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from compactml.cli.program import main_group
from compactml.release import VERSION

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "book").glob("*.md"))]


LOCKS = ("requirements.lock", "requirements-lab.lock")


def fenced(language: str, text: str = README) -> list[str]:
    """Return the fenced blocks of a language, by default the README's, without their indentation."""
    blocks = re.findall(rf"^ *```{language}\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    return [re.sub(r"^  ", "", block, flags=re.MULTILINE) for block in blocks]


def targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_ci_runs_the_two_commands() -> None:
    two_commands = fenced("bash")[0].splitlines()
    ci_commands = [line for line in CI.splitlines() if line.startswith("make ")]
    assert two_commands == ["make book", "make test"]
    assert ci_commands == ["make lint", *two_commands]
    assert CI.rstrip().endswith("make test")  # pytest's own line ends the output


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_named_commands_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    code = "\n".join(
        re.findall(r"`([^`\n]+)`", text) + re.findall(r"^ *(make .*|compactml .*)$", text, re.MULTILINE)
    )
    assert set(re.findall(r"^make ([a-z]+)", code, re.MULTILINE)) <= targets()
    for arguments in re.findall(r"^compactml ([a-z]+(?: [a-z]+)?)", code, re.MULTILINE):
        first, _, second = arguments.partition(" ")
        assert first in main_group.commands
        if first == "data":
            assert second in main_group.commands["data"].commands  # type: ignore[attr-defined]


def test_the_page_of_the_library_has_examples_that_run() -> None:
    page = (ROOT / "book" / "use.md").read_text(encoding="utf-8")
    examples = "\n".join(fenced("python", page))
    assert len(fenced("python", page)) == 6
    subprocess.run([sys.executable, "-c", examples], capture_output=True, text=True, check=True)


def test_the_examples_run_one_after_the_other() -> None:
    examples = "\n".join(fenced("python"))
    ran = subprocess.run([sys.executable, "-c", examples], capture_output=True, text=True, check=True)
    first, *_, last = ran.stdout.splitlines()
    before, after, changed = map(int, first.split())
    assert after < before
    assert changed == 0
    loss, bound = map(int, last.split())
    assert loss == bound


def test_citation_is_of_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for one in (cited, cited["preferred-citation"]):
        assert (str(one["version"]), one["license"]) == (VERSION, project["license"])


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_index_and_pins_every_hash(name: str) -> None:
    lock = (ROOT / name).read_text(encoding="utf-8")
    pins = re.findall(
        r"^[a-z0-9][^\n]*==[^\n]*\\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", lock, re.MULTILINE
    )
    assert pins
    assert len(pins) == len(re.findall(r"^[A-Za-z0-9]", lock, re.MULTILINE))
    assert "://" not in lock
    assert "--index" not in lock


def test_the_lock_of_jupyterlab_changes_no_package_of_the_book() -> None:
    book, lab = (
        dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
        for name in LOCKS
    )
    assert "jupyterlab" in lab
    assert {name: lab[name] for name in lab.keys() & book.keys()} == {
        name: book[name] for name in lab.keys() & book.keys()
    }
