"""What several commands share: options, where a command records, and how it prints."""

from __future__ import annotations

import shlex
from typing import Any

import click
import pandas as pd

from compactml.study import Profile
from compactml.study.recording.record_rules import Recording, target

__all__ = ["ERROR", "OFFICIAL", "RECORD", "echo_frame", "given", "record_target", "table_id", "to_stderr"]

RECORD = click.option(
    "--record", metavar="[DIR]", is_flag=False, flag_value="",
    help="Write a record to DIR, or continue the one that is there; with --official the one in data/recorded.",
)  # fmt: skip
OFFICIAL = click.option(
    "--official", is_flag=True, help="With --record: to data/recorded, from a clean tree."
)
ERROR = 2  # as click uses it


def record_target(
    record: str | None, official: bool, profile: Profile | None = None, force: bool = False
) -> Recording | None:
    """Return where a command records, or None if it does not.

    Raises
    ------
    click.UsageError
        The options do not go together.
    """
    if record is None:
        if official or force:
            raise click.UsageError("--official and --force go with --record.")
        return None
    if official == bool(record):
        raise click.UsageError("--record needs a folder, --record DIR, or --official for data/recorded.")
    return target(record or None, official, profile, force)


def table_id(text: str) -> str:
    """Return the id of a table: its number alone means a table, not a figure."""
    return f"table_{text}" if text.isdecimal() else text


def given() -> str:
    """Return the command as it was given, to be repeated."""
    return shlex.join(["compactml", *click.get_current_context().obj])


def to_stderr(text: str) -> None:
    """Print a line on stderr."""
    click.echo(text, err=True)


def echo_frame(frame: pd.DataFrame) -> None:
    """Print a table whole, left-aligned where it is text."""
    columns: list[Any] = list(frame.columns)
    left = {
        name: f"{{:<{frame[name].str.len().max() or 1}}}".format
        for name in columns
        if frame[name].dtype == "str"
    }
    click.echo(frame.to_string(index=False, formatters=left))
