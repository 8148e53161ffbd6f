"""The commands that look after the file of results."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from compactml.files import write_atomically
from compactml.study import Store
from compactml.study.errors import StoreError
from compactml.study.storing.store import default_path

__all__ = ["store"]

PIECE = 1_000  # rows of one transaction
OF = click.option("--store", "path", metavar="FILE", help="As for run.")


@click.group()
def store() -> None:
    """Look after the store: check its rows, take in those of another one, write them as text."""


@store.command()
@OF
@click.option("--repair", is_flag=True, help="Take damaged rows out, so that they are run again.")
def check(path: str | None, repair: bool) -> None:
    """Say whether the file and each of its rows are what was written; exit code 1 where not."""
    with Store(_there(path), read_only=not repair) as opened:
        pages, damaged = opened.integrity(), 0
        for line in pages:
            click.echo(f"pages: {line}")
        for table, word in (("results", "row"), ("failures", "failure")):
            keys = opened.damaged(table)
            damaged += len(keys)
            for key in keys:
                click.echo(f"{word} {key}: is not what was written")
            if repair:
                opened.remove(keys, table)
        click.echo(
            f"{opened.path}: {len(opened)} results, {damaged} damaged{', taken out' * repair}"
            f"{'; its pages are damaged: compactml store export saves what can be read' if pages else ''}"
        )
    if pages or (damaged and not repair):
        sys.exit(1)


@store.command()
@click.argument("others", nargs=-1, required=True, metavar="FILE...")
@OF
def merge(others: tuple[str, ...], path: str | None) -> None:
    """Take in the rows of other stores; a result that is there stays, as does the later of two failures.

    The others are not changed.
    """
    with Store(path) as opened:
        for other in others:
            before = len(opened)
            with Store(_there(other), read_only=True) as source:
                entries = list(source.entries())
                for start in range(0, len(entries), PIECE):
                    opened.write(entries[start : start + PIECE])
                read = sum(entry["table"] == "results" for entry in entries)
                damaged = len(source) - read + len(source.damaged("failures"))
            left = f", {damaged} damaged rows left out" if damaged else ""
            click.echo(f"{other}: {len(opened) - before} results are new{left}")


@store.command()
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@OF
def export(target: Path, path: str | None) -> None:
    """Write all results as lines of JSON to FILE, as far as they can be read; exit code 1 where that is not all."""
    lines, wrong = [], ""
    with Store(_there(path), read_only=True) as opened:
        try:
            for entry in opened.entries():
                if entry.pop("table") == "results":
                    texts = {name: json.loads(entry[name]) for name in ("trial", "result", "provenance")}
                    lines.append(json.dumps(entry | texts) + "\n")
        except StoreError as error:
            wrong = error.reason
    write_atomically(target, "".join(lines).encode())
    click.echo(f"{target}: {len(lines)} results{f', and others cannot be read ({wrong})' if wrong else ''}")
    if wrong:
        sys.exit(1)


def _there(path: str | None) -> Path:
    """Return the file of a store that is looked at: where nothing is there, that is not a sound store of no results."""
    file = default_path() if path is None else Path(path)
    if not file.exists():
        raise StoreError(str(file), "no such file", "Name a file that is there.")
    if file.is_file() and file.stat().st_size == 0:  # a store of no results has its tables
        raise StoreError(str(file), "an empty file, which holds no store", "Name the file of a store.")
    return file
