"""The command line: ``compactml run | show | trace | verify | ...``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import compactml
from compactml.cli.ends import ended_cleanly

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process; the packages of the experiments are loaded here and not before."""
    with ended_cleanly():
        try:
            from compactml.cli.program import main as run_program
        except ModuleNotFoundError as error:
            if str(error.name).startswith("compactml"):
                raise
            if list(sys.argv[1:] if arguments is None else arguments) == ["--version"]:
                print(f"compactml, version {compactml.__version__}")
                sys.exit()
            sys.exit(
                f"error: compactml: its commands need {error.name};"
                " pip install 'compactml[experiments]' brings it."
            )
        code = run_program(arguments)
    sys.exit(code)
