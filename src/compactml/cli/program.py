"""The program ``compactml``."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

import compactml
from compactml.cli.common import ERROR
from compactml.cli.running import run, trials
from compactml.cli.showing import cite, claims, data, records, solvers, warm_up
from compactml.cli.tracing import show, trace, verify
from compactml.errors import CompactmlError

__all__ = ["main", "main_group"]

INTERRUPTED = 130  # as shells use it


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(compactml.__version__)
def main_group() -> None:
    """Smaller machine-learning models by integer programming: five papers, reproduced."""


for command in (run, show, trials, records, trace, verify, data, solvers, claims, cite, warm_up):
    main_group.add_command(command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process.

    An error of the project is one message on stderr and exit code 2; Ctrl-C is exit code 130.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("compactml").setLevel(logging.INFO)
    try:
        code = main_group.main(given, "compactml", standalone_mode=False, obj=given) or 0
    except CompactmlError as error:
        click.echo(f"error: {error}", err=True)
        code = ERROR
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted: finished trials are kept; run the same command again to resume", err=True)
        code = INTERRUPTED
    sys.exit(code)
