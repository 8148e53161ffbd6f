"""The generated sets are what their definitions say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from compactml.datasets import available, load
from compactml.datasets.generators import breiman_waveform, digits, tic_tac_toe_endgames
from compactml.errors import InvalidParameterError


def play_all_games(board: str = "b" * 9, mover: str = "x") -> set[str]:
    """Final boards reached by playing every game: slow, but the rule itself."""
    lines = (
        [board[i : i + 3] for i in (0, 3, 6)] + [board[i::3] for i in range(3)] + [board[::4], board[2:7:2]]
    )
    if "xxx" in lines or "ooo" in lines or "b" not in board:
        return {board}
    finals = set()
    for square in (square for square, mark in enumerate(board) if mark == "b"):
        finals |= play_all_games(board[:square] + mover + board[square + 1 :], "o" if mover == "x" else "x")
    return finals


def test_tic_tac_toe_has_exactly_the_boards_at_which_games_end():
    data = tic_tac_toe_endgames()
    boards = data.X.agg("".join, axis="columns")
    assert boards.is_unique
    assert set(boards) == play_all_games()
    assert len(boards) == 958  # this count and the next: UCI description of the set
    assert (data.y == "positive").sum() == 626


def test_tic_tac_toe_equals_the_uci_file_as_a_set():
    if not available("tic_tac_toe"):
        pytest.skip("tic_tac_toe: no file at hand")
    ours, theirs = (pd.concat([d.X, d.y], axis=1) for d in (tic_tac_toe_endgames(), load("tic_tac_toe")))
    columns = list(theirs.columns)
    pd.testing.assert_frame_equal(
        ours.sort_values(columns, ignore_index=True), theirs.sort_values(columns, ignore_index=True)
    )


def test_waveform_has_the_registered_form_and_repeats():
    data = breiman_waveform()
    assert data.X.shape == (5000, 40)
    assert set(data.y) == {0, 1, 2}
    assert breiman_waveform().sha256 == data.sha256
    assert breiman_waveform(random_state=1).sha256 != data.sha256


def test_waveform_moments_follow_the_definition():
    """Where waves a and b have heights p and q, the mean is (p + q)/2 and the variance (p - q)^2/12 + 1."""
    data = breiman_waveform(60_000, random_state=3)
    means = data.X.groupby(data.y).mean()
    # classes 0, 1, 2 mix (h2, h3), (h1, h3), (h1, h2); peaks of h1, h2, h3 at x11, x15, x7
    expected = pd.DataFrame({"x7": [3.0, 4.0, 1.0], "x11": [2.0, 4.0, 4.0], "x15": [3.0, 1.0, 4.0]})
    assert np.abs(means[["x7", "x11", "x15"]].to_numpy() - expected.to_numpy()).max() < 0.05
    assert data.X["x7"][data.y == 0].var() == pytest.approx(36 / 12 + 1, rel=0.05)
    assert np.abs(means.iloc[:, 21:].to_numpy()).max() < 0.05
    assert data.X.iloc[:, 21:].var().to_numpy() == pytest.approx(1, rel=0.05)


def test_waveform_agrees_with_the_uci_file():
    if not available("waveform_v2"):
        pytest.skip("waveform_v2: no file at hand")
    ours, theirs = breiman_waveform(60_000), load("waveform_v2")
    gap = ours.X.groupby(ours.y).mean().to_numpy() - theirs.X.groupby(theirs.y).mean().to_numpy()
    assert np.abs(gap).max() < 0.2  # four standard errors of a class mean in 1650 rows


@pytest.mark.parametrize("wrong", [{"n_samples": 0}, {"noise_features": -1}])
def test_waveform_refuses_impossible_sizes(wrong):
    with pytest.raises(InvalidParameterError, match=next(iter(wrong))):
        breiman_waveform(**wrong)


def test_the_digits_are_the_test_rows_of_the_registered_ones():
    data = digits()
    assert (data.X.shape, sorted(data.y.unique())) == ((1797, 64), list(range(10)))
    assert (data.X.min().min(), data.X.max().max()) == (0, 16)
    assert {str(kind) for kind in data.X.dtypes} == {"int64"}
    if available("optdigits"):
        assert load("optdigits").X.shape[1] == data.X.shape[1]
