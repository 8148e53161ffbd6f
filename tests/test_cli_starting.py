"""Ctrl-C while a command still imports what it needs: one line, at whichever import it comes."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import compactml
from tests.interrupts import interrupted_at

PROGRAM = 'sys.exit(__import__("compactml.cli").cli.main(sys.argv[2:]))'


@pytest.mark.parametrize("command", [["--version"], ["data", "list"]])
@pytest.mark.parametrize(
    "module",
    [
        "compactml.cli.ends",
        "contextlib",
        "signal",
        "importlib.metadata",
        "compactml.cli.program",
        "click",
        "pandas",
    ],
)
def test_ctrl_c_at_an_import_is_one_line(module: str, command: list[str]) -> None:
    ran = interrupted_at(module, PROGRAM, *command)
    said = "interrupted: finished trials are kept; run the same command again to resume\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", said)


def test_the_first_import_takes_nothing_with_it() -> None:
    """What is loaded before `main` can answer is the package's faces and which release they are."""
    program = (
        "import sys; before = set(sys.modules); import compactml.cli\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["__future__", "compactml", "compactml.cli", "compactml.release"]


def test_the_release_is_the_installed_one() -> None:
    assert compactml.__version__ == version("compactml")
