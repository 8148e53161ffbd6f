"""`make book FETCH=1`: download the small datasets of the quick profile that are not at hand, within narrow bounds."""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Iterable, Sequence

import click

from compactml import datasets
from compactml.chapters import every_chapter
from compactml.datasets import DatasetNotAvailable
from compactml.datasets.prepared import prepared
from compactml.datasets.registry import Entry, entry
from compactml.errors import CompactmlError
from compactml.study import Profile

SECONDS, BYTES = 30.0, 6_000_000
"""All downloads together."""


def fetch_small(names: Iterable[str], *, seconds: float = SECONDS, limit: int = BYTES) -> list[str]:
    """Download those of these datasets that are not at hand and may be passed on, and return their keys.

    Nothing that goes wrong here fails a build: what did not come stands in the tables as not at hand.

    Parameters
    ----------
    names : iterable of str
        Registry keys, or names of preparations.
    seconds : float
        Wall-clock time of all downloads; then the one under way is ended. Its part is kept for the next time.
    limit : int
        Bytes of all files together, by their registered sizes; the smallest datasets come first.
    """
    if os.environ.get("CI"):
        click.echo("FETCH: nothing is downloaded in continuous integration")
        return []
    keys = chosen(missing(names), limit)
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


def quick_datasets() -> list[str]:
    """Return the names of the data of all trials of the quick profile."""
    trials = (
        trial
        for chapter in every_chapter()
        for table in chapter.table_ids
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


def chosen(keys: Iterable[str], limit: int) -> list[str]:
    """Return the datasets that may be passed on and fit together within ``limit`` bytes, the smallest first."""
    taken, total = [], 0
    for candidate in sorted(filter(_may_be_passed_on, map(entry, keys)), key=_size):
        total += _size(candidate)
        if total > limit:
            break
        taken.append(candidate.key)
    return taken


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
