"""The program ``compactml``."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence

import click

import compactml
from compactml.cli.common import ERROR
from compactml.cli.ends import silence
from compactml.cli.running import failed, run, trials
from compactml.cli.showing import cite, claims, data, records, solvers, warm_up
from compactml.cli.storing import store
from compactml.cli.tracing import show, trace, verify
from compactml.errors import CompactmlError

__all__ = ["main", "main_group"]

WAY_OUT = "finished trials are kept. Make room there or name another place, and run the same command again."


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(compactml.__version__)
def main_group() -> None:
    """Smaller machine-learning models by integer programming: five papers, reproduced."""


for command in (
    run,
    show,
    trials,
    failed,
    store,
    records,
    trace,
    verify,
    data,
    solvers,
    claims,
    cite,
    warm_up,
):
    main_group.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: an error of the project is one message on stderr and code 2.

    So is a file that cannot be read or written.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("compactml").setLevel(logging.INFO)
    try:
        # not `main_group.main`, which keeps interrupts and closed pipes to itself
        with main_group.make_context("compactml", given, obj=given) as context:
            main_group.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a full disk can still be answered for
        return 0
    except CompactmlError as error:
        click.echo(f"error: {error}", err=True)
        return ERROR
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.exceptions.Exit as end:  # --help, --version
        return end.exit_code
    except BrokenPipeError:  # `ended_cleanly` answers for it
        raise
    except OSError as error:
        click.echo(f"error: {_unusable(error)}; {WAY_OUT}", err=True)
        return ERROR


def _unusable(error: OSError) -> str:
    """Say which file could not be used, and why; what the system says without a name is of stdout."""
    if error.filename is None and error.errno is not None:
        silence(sys.stdout)
        return f"stdout: {error.strerror}"
    return str(error) if error.filename is None else f"{error.filename}: {error.strerror}"
