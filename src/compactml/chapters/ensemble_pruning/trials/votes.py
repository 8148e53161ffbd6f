"""The votes that all methods of a run share, kept on disk by content.

A run is one fold of one repetition of section 5's protocol: a tenth of the rows to test on, 27 % of all rows to choose
the ensemble on, 63 % to train the classifiers on. Fitting a pool takes up to a minute, pruning it is done by
eleven methods at four sizes; so its votes on all three parts are written once. The name of the file is a hash of
everything that decides them: data, run, pool, code, libraries.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, train_test_split

from compactml.chapters.ensemble_pruning.datasets import problem
from compactml.datasets.storage import cache_folder
from compactml.ensemble_pruning.instance import pack
from compactml.ensemble_pruning.pool.classifier_pool import ClassifierPool
from compactml.ensemble_pruning.pool.voting import unpack
from compactml.files import write_atomically
from compactml.study.keys.fingerprint import code_key, data_identity

N_FOLDS = 10
VALIDATION_SHARE = 0.3
"""Of the rows that are not tested on: 27 % of all."""
PARTS = ("train", "validation", "test")
FOLDER = "ensemble_pruning_votes"
DIGEST = "sha256"
"""Name of the entry with the digest of the others."""
log = logging.getLogger(__name__)
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Votes:
    """Votes of K classifiers on one part of a run.

    Attributes
    ----------
    votes : ndarray of bool, shape (n, K)
    y : ndarray of bool, shape (n,)
    """

    votes: NDArray[np.bool_]
    y: NDArray[np.bool_]


@dataclass(frozen=True)
class Run:
    """What decides the votes: dataset, repetition (from 0), fold (0 to 9), size of the pool that is fitted.

    The repetition is the seed of the splits and of the pool, as in the paper: the ten folds of a repetition have
    classifiers with the same parameters.
    """

    dataset: str
    repetition: int
    fold: int
    n_classifiers: int

    def key(self) -> str:
        """Return the SHA-256 of everything that decides the votes."""
        identity = [self.dataset, self.repetition, self.fold, self.n_classifiers]
        parts = [*identity, data_identity(self.dataset).sha256, code_key(__name__)]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def split(run: Run) -> dict[str, Rows]:
    """Return the rows of each part; all splits are stratified."""
    y = problem(run.dataset)[1]
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=run.repetition).split(y, y)
    rest, test = list(folds)[run.fold]
    train, validation = train_test_split(
        rest, test_size=VALIDATION_SHARE, stratify=y[rest], random_state=run.repetition
    )
    return {"train": np.sort(train), "validation": np.sort(validation), "test": test}


def votes(run: Run, n_classifiers: int) -> dict[str, Votes]:
    """Return the votes of the first classifiers of a run's pool on each part, from disk where they are there.

    Parameters
    ----------
    run : Run
    n_classifiers : int
        At most the run's: smaller pools are the beginnings of the largest one, so that one fit serves all sizes.
    """
    found = _all_votes(run)
    return {part: Votes(one.votes[:, :n_classifiers], one.y) for part, one in found.items()}


@lru_cache(maxsize=2)
def _all_votes(run: Run) -> dict[str, Votes]:
    path = cache_folder() / FOLDER / f"{run.key()}.npz"
    y, rows = problem(run.dataset)[1], split(run)
    words = _read(path)
    if words is None:
        words = _fitted(run)
        _write(path, words)
    return {part: Votes(unpack(words[part], run.n_classifiers), y[rows[part]]) for part in PARTS}


def _read(path: Path) -> dict[str, NDArray[np.uint64]] | None:
    """Return the votes that are kept, in bits, or None; a damaged file is named and removed, to be made again."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            words = {part: stored[part] for part in PARTS}
            digest = str(stored[DIGEST])
        if digest != _digest(words):
            raise ValueError("its digest is that of other votes")
    except Exception as error:  # of garbage zipfile, zlib and NumPy raise half a dozen classes
        log.warning("%s is damaged (%s): it is removed and made again", path, type(error).__name__)
        path.unlink(missing_ok=True)
        return None
    return words


def _digest(words: dict[str, NDArray[np.uint64]]) -> str:
    """Return the SHA-256 of votes and their shapes."""
    summed = hashlib.sha256()
    for part in PARTS:
        summed.update(f"{part} {words[part].shape} {words[part].dtype}".encode() + words[part].tobytes())
    return summed.hexdigest()


def _fitted(run: Run) -> dict[str, NDArray[np.uint64]]:
    """Fit the pool; its votes in bits."""
    X, y = problem(run.dataset)
    rows = split(run)
    pool = ClassifierPool(run.n_classifiers, random_state=run.repetition).fit(
        X[rows["train"]], y[rows["train"]]
    )
    return {part: pack(pool.votes(X[rows[part]])) for part in PARTS}


def _write(path: Path, words: dict[str, NDArray[np.uint64]]) -> None:
    content = io.BytesIO()
    np.savez_compressed(content, **words, **{DIGEST: np.array(_digest(words))})  # type: ignore[arg-type]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, content.getvalue())
