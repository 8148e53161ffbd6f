"""Figures of the first and third notebook: what is drawn is what was given; the relaxations are upper bounds."""

from __future__ import annotations

import base64
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.feature_selection import beyond, method, relaxations
from compactml.chapters.feature_selection.pictures import figures
from compactml.errors import InvalidDataError
from compactml.feature_selection import FractionalProgram
from compactml.study.page.picture import NARROW, WIDE
from tests.chapters.feature_selection.toy_tables import as_printed

pytestmark = pytest.mark.usefixtures("as_on_a_page")


def random_program(seed: int, p: int = 6) -> FractionalProgram:
    """MRMR with a positive semidefinite redundancy, as entropies of real data have."""
    rng = np.random.default_rng(seed)
    root = rng.random((p, p))
    zero, ones = np.zeros(p), np.ones((p, p))
    return FractionalProgram(zero, rng.random((p, 1)) - root @ root.T / p, zero, ones, measure="mrmr")


def test_all_sets_of_the_example() -> None:
    """Three features with known values: {1} -.1, {12} .175, {123} .138889, ..."""
    every = method.sets(method.mrmr_example())
    expected = [-0.1, -0.1, -0.45, 0.175, 0, -0.025, 1.25 / 9]
    assert every["value"].to_list() == pytest.approx(expected)
    assert every["set"].to_list() == ["{1}", "{2}", "{3}", "{1, 2}", "{1, 3}", "{2, 3}", "{1, 2, 3}"]


def test_newtons_points_lie_on_the_envelope() -> None:
    fig = figures.parametric_function(method.sets(method.mrmr_example()), [1.25 / 9, 0.175], WIDE)
    (way,) = [line for line in fig.axes[0].lines if line.get_label() == "Newton"]
    assert way.get_ydata() == pytest.approx([0, 0.144444, 0, 0], abs=1e-6)  # 4 (0.175 - 0.138889)


def test_intervals_of_a_binary_search() -> None:
    found = method.intervals([(0.0, 1.0), (0.5, -1.0), (0.25, 0.0)], -1.0, 1.0)
    assert found[["lower", "upper"]].to_numpy().tolist() == [[-1, 1], [0, 1], [0, 0.5]]
    fig = figures.binary_search(found, 0.2, WIDE)
    above, below = (line for line in fig.axes[0].lines if line.get_linestyle() == "None")
    assert above.get_xdata().tolist() == [0.0]
    assert below.get_xdata().tolist() == [0.5, 0.25]


def test_chosen_pixels_have_a_frame() -> None:
    fig = figures.pixels([0.1, 0.2, 0.3], [0, 1, 3], [1, 2], side=2, width=WIDE)
    corners = [patch.get_xy() for patch in fig.axes[0].patches]
    assert np.round(corners).tolist() == [[1, 0], [1, 1]]
    assert np.isnan(fig.axes[0].images[0].get_array().filled(np.nan)[1, 0])  # type: ignore[union-attr]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_legend_stands_above_the_axes_in_both_layouts(width: float) -> None:
    steps = method.intervals([(0.0, 1.0), (0.5, -1.0)], -1.0, 1.0)
    fig = figures.binary_search(steps, 0.2, width)
    fig.canvas.draw()
    assert fig.get_figwidth() == width
    (legend,) = fig.legends
    assert legend.get_window_extent().y0 >= fig.axes[0].get_window_extent().y1
    assert not fig.axes[0].get_legend()


def test_curves_by_cardinality() -> None:
    table = pd.DataFrame({"l": [1, 2], "best value": [0.1, 0.2], "a bound": [0.3, 0.3]})
    fig = figures.bounds_by_cardinality(table, 0.4, WIDE)
    lines = {line.get_label(): list(line.get_ydata()) for line in fig.axes[0].lines}
    assert lines["a bound"] == [0.3, 0.3]
    assert lines["no size fixed"] == [0.4, 0.4]


@pytest.mark.parametrize("seed", range(5))
def test_relaxations_are_upper_bounds_and_each_tightens_the_last(seed: int) -> None:
    own = random_program(seed)
    free = relaxations.free_bound(own)
    for size in range(1, own.n_features + 1):
        best = max(own.value(list(chosen)) for chosen in combinations(range(own.n_features), size))
        box, diagonal = relaxations.box_bound(own, size), relaxations.diagonal_bound(own, size)
        assert best - 1e-9 <= diagonal <= box + 1e-7
        assert box <= free + 1e-7
        if size > 1:
            assert best - 1e-9 <= relaxations.multiplier_bound(own, size) <= diagonal + 1e-6


def test_the_example_is_proved_with_its_cardinality_and_not_without() -> None:
    own = method.mrmr_example()
    assert relaxations.free_bound(own) > 0.18
    assert relaxations.diagonal_bound(own, 2) == pytest.approx(0.175, abs=1e-6)


def test_relaxations_refuse_what_is_not_concave_or_not_mrmr() -> None:
    own = method.mrmr_example()
    other = FractionalProgram(own.a, own.b, own.c, own.d)
    convex = FractionalProgram(own.a, -own.b, own.c, own.d, measure="mrmr")
    for program, text in ((other, "mRMR"), (convex, "concave")):
        with pytest.raises(InvalidDataError, match=text):
            relaxations.free_bound(program)


def test_the_papers_best_runs() -> None:
    best = beyond.printed_best().set_index(["dataset", "measure"])
    assert best["proved"].groupby(level="measure").sum().to_dict() == {
        "mrmr": 15,
        "cfs": 13,
    }  # 15 with two impossible
    assert beyond.run_text(best.loc[("Semeion_Hand", "mrmr")]) == "145.9 s (Algorithm 1)"
    assert beyond.run_text(best.loc[("USPS", "mrmr")]) == "limit, gap ≈ 0.020 (Algorithm 2)"
    assert best.loc[("ISOLET", "cfs"), "method"] != "Algorithm 1"


def ours(*names: str, proved: int = 1) -> pd.DataFrame:
    """Plain rows of our method."""
    return pd.DataFrame(
        {
            "dataset": names, "measure": "mrmr", "value": 0.1, "bound": 0.101, "n_selected": 5, "seconds": 0.5,
            "proved": proved, "certificate_verified": proved,
        }
    )  # fmt: skip


def test_all_instances_stand_side_by_side() -> None:
    rerun = beyond.rerun_best([as_printed("table_2").assign(measure="mrmr")])
    table = beyond.side_by_side(ours("Zoo"), rerun).set_index(["dataset", "measure"])
    assert len(table) == 50
    zoo, letter = table.loc[("Zoo", "mrmr")], table.loc[("Letter_Recog", "cfs")]
    assert zoo[["paper's best", "re-run here"]].to_list() == ["0.2 s (Algorithm 2)", "0.7 s (MILP1)"]
    assert zoo[["features", "proved", "checked"]].to_list() == [5, "yes", "yes"]
    assert letter[["re-run here", "proved", "checked"]].to_list() == ["", "", ""]


def test_without_runs_of_the_papers_methods_there_is_no_best() -> None:
    assert beyond.rerun_best([]).empty


class Written:
    """A certificate whose file says so."""

    def save(self, path: Path) -> None:
        path.write_bytes(b"proof" * 1000)


def test_a_certificate_is_downloaded_from_the_page() -> None:
    link = beyond.Download.of(Written(), "digits.npz")._repr_html_()  # type: ignore[arg-type]
    assert 'download="digits.npz"' in link
    assert "(5 kB)" in link
    (content,) = re.findall(r'base64,([^"]+)"', link)
    assert base64.b64decode(content) == b"proof" * 1000


def growth_table() -> pd.DataFrame:
    columns = ["method", "p", "seconds", "proved"]
    rows = [
        ("ours", 25, 0.1, 1),
        ("ours", 50, 0.2, 1),
        ("Algorithm 2", 25, 0.5, 1),
        ("Algorithm 2", 50, 9.0, 0),
    ]
    return pd.DataFrame([*rows, ("MILP3", 50, np.nan, np.nan)], columns=columns)


def test_ratios_at_every_size_and_which_are_lower_bounds() -> None:
    found = beyond.ratios(growth_table(), "Algorithm 2")
    assert found["p"].to_list() == [25, 50]
    assert found["ratio"].to_list() == pytest.approx([5, 45])
    assert found["at least"].to_list() == ["", "stopped"]
    assert beyond.ratios(growth_table(), "MILP3").empty
