"""Datasets that need no file: their definition generates them, or they ship with scikit-learn alone."""

from __future__ import annotations

from itertools import combinations
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from compactml.datasets import columns as names
from compactml.datasets.loading import Dataset, values_hash
from compactml.errors import InvalidParameterError

SQUARES = 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
"""The rows, columns and diagonals of the board, squares numbered from the top left."""

WAVE_LENGTH = 21
CLASS_WAVES = ((1, 2), (0, 2), (0, 1))
"""The two waves, counted from 0, that each class mixes; classes numbered as in the UCI file."""


def tic_tac_toe_endgames() -> Dataset:
    """Enumerate every board on which a game of tic-tac-toe can end, x having moved first.

    Returns
    -------
    Dataset
        958 boards x 9 squares with values "x", "o" and "b" (blank); ``y`` is "positive" where x has won (626)
        and "negative" otherwise. As a set these are the rows of the UCI file; the order differs.
    """
    boards = [board for n_blank in range(5) for board in _full_boards(n_blank) if _is_final(board)]
    X = pd.DataFrame([list(board) for board in boards], columns=list(names.TIC_TAC_TOE[:-1]))
    y = pd.Series(["positive" if _won(board, "x") else "negative" for board in boards], name="class")
    source = "enumeration of all final boards, x moves first"
    return Dataset(X, y, "classification", "tic_tac_toe_endgames", source, values_hash(X, y))


def _full_boards(n_blank: int) -> list[str]:
    """Return all boards with so many blanks that hold as many x as o, or one more."""
    n_x = (SQUARES - n_blank + 1) // 2
    boards = []
    for blanks in combinations(range(SQUARES), n_blank):
        taken = [square for square in range(SQUARES) if square not in blanks]
        for crosses in combinations(taken, n_x):
            marks = {**dict.fromkeys(blanks, "b"), **dict.fromkeys(crosses, "x")}
            boards.append("".join(marks.get(square, "o") for square in range(SQUARES)))
    return boards


def _won(board: str, player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in LINES)


def _is_final(board: str) -> bool:
    """Whether a game can end here: only the last mover has won, or nobody has and the board is full.

    x moved last on boards with more x than o. Two lines of the last mover are legal: with at most five marks
    they share a square, and the last move closed both.
    """
    last, other = ("x", "o") if board.count("x") > board.count("o") else ("o", "x")
    return not _won(board, other) and (_won(board, last) or "b" not in board)


def digits() -> Dataset:
    """Return the handwritten digits that ship with scikit-learn: the test rows of optdigits.

    Returns
    -------
    Dataset
        1797 images x 64 pixels with values 0 to 16; ``y`` is the digit.
    """
    bunch = load_digits(as_frame=True)
    X, y = bunch.data.astype("int64"), bunch.target.astype("int64")
    source = "the digits that ship with scikit-learn, load_digits"
    return Dataset(X, y, "classification", "digits", source, values_hash(X, y))


def breiman_waveform(
    n_samples: int = 5000, noise_features: int = 19, random_state: int | np.random.Generator = 0
) -> Dataset:
    """Draw from the waveform recognition problem: three classes, 21 wave features, then pure noise features.

    Each sample is ``u h_a + (1 - u) h_b + e`` with ``u`` uniform on [0, 1], ``e`` standard normal in every
    feature, and the pair of triangular waves of its class, where ``h1(i) = max(6 - |i - 11|, 0)``
    for ``i = 1 .. 21``, ``h2(i) = h1(i - 4)`` and ``h3(i) = h1(i + 4)``. Noise features are standard normal.
    Classes are equally likely and numbered as in the UCI file: 0 has (h2, h3), 1 has (h1, h3), 2 has (h1,
    h2). A stand-in for ``waveform_v2`` where that file is not at hand: the same distribution, other draws
    (the file rounds to two decimals, this does not).

    Parameters
    ----------
    n_samples, noise_features : int
        At least 1, and at least 0.
    random_state : int or Generator

    Returns
    -------
    Dataset
        ``n_samples`` x (21 + ``noise_features``), classes 0, 1, 2.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, Classification and Regression Trees, 1984,
    section 2.6.2.
    """
    if n_samples < 1:
        raise InvalidParameterError("n_samples", "at least 1", n_samples)
    if noise_features < 0:
        raise InvalidParameterError("noise_features", "at least 0", noise_features)
    rng = np.random.default_rng(random_state)
    labels = rng.integers(3, size=n_samples)
    first, second = _waves()[np.array(CLASS_WAVES)[labels]].transpose(1, 0, 2)
    mix = rng.random((n_samples, 1))
    values = rng.standard_normal((n_samples, WAVE_LENGTH + noise_features))
    values[:, :WAVE_LENGTH] += mix * first + (1 - mix) * second
    X = pd.DataFrame(values, columns=list(names.numbered("x", values.shape[1])))
    y = pd.Series(labels, name="class")
    source = f"waveform generator of Breiman et al. 1984, random_state={random_state!r}"
    return Dataset(X, y, "classification", "breiman_waveform", source, values_hash(X, y))


def _waves() -> NDArray[np.float64]:
    """Return the three triangular waves h1, h2, h3 as rows, shape (3, 21)."""
    i = np.arange(1, WAVE_LENGTH + 1)
    waves = [np.maximum(6.0 - np.abs(i - centre), 0.0) for centre in (11, 15, 7)]
    return cast("NDArray[np.float64]", np.array(waves))
