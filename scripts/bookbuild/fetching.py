"""`make book FETCH=1`: download the small datasets of the quick profile that are not at hand, within narrow bounds."""

from __future__ import annotations

import logging
import multiprocessing
import os
import re
from collections.abc import Iterable, Sequence

import click

from compactml import datasets
from compactml.chapters import every_chapter
from compactml.datasets import DatasetNotAvailable
from compactml.datasets.prepared import prepared
from compactml.datasets.registry import Entry, entry
from compactml.errors import CompactmlError
from compactml.study import Profile

NUMBERED = r"(table|fig)_\d+"
"""Ids of the tables and figures that a paper numbers; others are ours."""
SECONDS, BYTES = 30.0, 6_000_000
"""All downloads together."""


def fetch_quick() -> list[str]:
    """Download small datasets of the quick profile, those of the papers' own tables first; return their keys."""
    return fetch_small(quick_datasets(numbered=True), quick_datasets())


def fetch_small(*groups: Iterable[str], seconds: float = SECONDS, limit: int = BYTES) -> list[str]:
    """Download those of these datasets that are not at hand and may be passed on, and return their keys.

    Nothing that goes wrong here fails a build: what did not come stands in the tables as not at hand.

    Parameters
    ----------
    *groups : iterable of str
        Registry keys, or names of preparations; the first group goes before the others.
    seconds : float
        Wall-clock time of all downloads; then the one under way is ended. Its part is kept for the next time.
    limit : int
        Bytes of all files together, by their registered sizes; in a group the smallest datasets come first.
    """
    if os.environ.get("CI"):
        click.echo("FETCH: nothing is downloaded in continuous integration")
        return []
    keys = chosen([missing(names) for names in groups], limit)
    # A process of its own can be ended, whatever it waits for; by a fork it has the registry of this one.
    downloads = multiprocessing.get_context("fork").Process(target=_fetch, args=(keys,), daemon=True)
    downloads.start()
    downloads.join(seconds)
    if downloads.is_alive():
        downloads.kill()
        downloads.join()
    came = [key for key in keys if datasets.available(key)]
    late = [key for key in keys if key not in came]
    click.echo(
        f"FETCH: {len(came)} datasets came ({', '.join(came) or 'none'})"
        + (f", {len(late)} did not ({', '.join(late)})" if late else "")
    )
    return came


def quick_datasets(*, numbered: bool = False) -> list[str]:
    """Return the names of the data of all trials of the quick profile, or of those behind the papers' own tables.

    Parameters
    ----------
    numbered : bool
        Only of what a paper numbers, tables and figures.
    """
    trials = (
        trial
        for chapter in every_chapter()
        for table in chapter.table_ids
        if not numbered or re.fullmatch(NUMBERED, table)
        for trial in chapter.trials(table, Profile.QUICK)
        if chapter.generated(trial) is None
    )
    return list(dict.fromkeys(trial.dataset for trial in trials))


def missing(names: Iterable[str]) -> list[str]:
    """Return the keys of the registered datasets that these names need and that are not at hand."""
    keys = []
    for name in names:
        try:
            prepared(name)
        except DatasetNotAvailable as error:
            keys.append(error.key)
        except CompactmlError as error:
            click.echo(f"FETCH: {name} is left alone: {error}")
    return list(dict.fromkeys(keys))


def chosen(groups: Sequence[Iterable[str]], limit: int) -> list[str]:
    """Return the datasets that may be passed on and fit together within ``limit`` bytes, group by group."""
    taken, total = dict[str, None](), 0
    for group in groups:
        for candidate in sorted(filter(_may_be_passed_on, map(entry, group)), key=_size):
            if candidate.key not in taken and total + _size(candidate) <= limit:
                taken[candidate.key] = None
                total += _size(candidate)
    return list(taken)


def _may_be_passed_on(candidate: Entry) -> bool:
    """UCI gives its datasets under CC BY 4.0; without the hash of every file nothing is downloaded."""
    pinned = all(file.sha256 is not None and file.bytes is not None for file in candidate.files)
    return pinned and candidate.upstream.startswith("UCI ")


def _size(candidate: Entry) -> int:
    return sum(file.bytes or 0 for file in candidate.files)


def _fetch(keys: Sequence[str]) -> None:
    logging.disable(logging.CRITICAL)
    for key in keys:
        try:
            datasets.fetch(key, progress=False)
        except (CompactmlError, OSError):  # the others are fetched all the same
            continue
