"""The command line: ``compactml run | show | trace | verify | ...``.

Nothing is imported here that takes time: `main` answers for Ctrl-C from its first line on, and imports the rest.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # that of `typing` would have to be imported
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process; the packages of the experiments are loaded here and not before."""
    try:
        from compactml.cli.ends import ended_cleanly

        with ended_cleanly():
            code = _program(arguments)
    except KeyboardInterrupt:  # before `ended_cleanly` answers for it, or again while it does
        print("interrupted: finished trials are kept; run the same command again to resume", file=sys.stderr)
        code = 130
    sys.exit(code)


def _program(arguments: Sequence[str] | None) -> int:
    """Run the program, or say which package it lacks."""
    try:
        from compactml.cli.program import main as run_program
    except ModuleNotFoundError as error:
        if str(error.name).startswith("compactml"):
            raise
        if list(sys.argv[1:] if arguments is None else arguments) == ["--version"]:
            from compactml import __version__

            print(f"compactml, version {__version__}")
            return 0
        sys.exit(
            f"error: compactml: its commands need {error.name}; pip install 'compactml[experiments]' brings it."
        )
    return run_program(arguments)
