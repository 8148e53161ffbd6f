"""The program ``compactml``."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Sequence

import click

import compactml
from compactml.cli.common import ERROR
from compactml.cli.ends import complain, silence
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
        complain(f"error: {error}")
        return ERROR
    except click.ClickException as error:
        usage = io.StringIO()
        error.show(usage)
        complain(usage.getvalue().rstrip("\n"))
        return error.exit_code
    except click.exceptions.Exit as end:  # --help, --version
        return end.exit_code
    except BrokenPipeError:  # `ended_cleanly` answers for it
        raise
    except OSError as error:
        complain(f"error: {_unusable(error)}; {WAY_OUT}")
        return ERROR


def _unusable(error: OSError) -> str:
    """Say which file could not be used, and why; where a write failed the system names none."""
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if error.errno is None:
        return str(error)
    silence(sys.stdout)  # it may be the one, and would fail again at the end
    return f"stdout, or a file that was being written: {error.strerror}"
