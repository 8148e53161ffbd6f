"""The first notebook's examples say what a hand calculation says."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.ensemble import IsolationForest, RandomForestClassifier

from compactml.chapters.pace import counterexamples, method
from compactml.pace.model.region import Region
from compactml.pace.model.setting import Setting, make_setting
from compactml.pace.weights.pruning import Pruner
from compactml.study.page.style import rendered
from tests.pictures import WIDTHS

KEPT = {"0.5": (1, 0, 0), "1.5": (0, 1, 0), "2.5": (0, 0, 1), "0.5 and 2.5": (1, 0, 1)}
BIG_M = [[1.0, 0.0, 0.4], [1.0, 0.0, 0.4], [0.0, 1.0, 0.4]]


pytestmark = pytest.mark.usefixtures("as_on_a_page")


def test_cells_are_named_as_intervals() -> None:
    grid, _ = method.stumps([0.5, 1.5])
    assert [method.where(grid, code) for code in range(3)] == ["(-∞, 0.5]", "(0.5, 1.5]", "(1.5, ∞)"]


def test_every_form_of_separation_finds_what_evaluation_finds() -> None:
    grid, initial = method.stumps([0.5, 1.5, 2.5])
    found = [method.separation_table(grid, initial, KEPT, (1, 2), form) for form in ("constraint", "milp")]
    assert found[0].equals(found[1])
    first = found[0].set_index(["kept", "alpha"])
    none = "proved: none"
    assert first.loc[("0.5", "1/3")].to_list() == ["(0.5, 1.5]", none, 1]
    assert first.loc[("1.5", "1/3")].to_list() == [none, none, 0]
    assert first.loc[("2.5", "1/3")].to_list() == [none, "(1.5, 2.5]", 1]
    assert first.loc[("0.5 and 2.5", "1/3")].to_list() == ["(0.5, 1.5]", "(1.5, 2.5]", 2]  # ties separate
    assert (first.xs("2/3", level="alpha")["by hand"] == 0).all()


def test_a_larger_least_margin_leaves_cells_out() -> None:
    grid, initial = method.stumps([0.5, 1.5, 2.5])
    current, codes = method.reweighted(initial, (1, 0, 0)), method.cells_of(grid)
    assert [method.separated(Region(initial, least), current, codes).tolist() for least in (1, 2)] == [
        [False, True, False, False],
        [False] * 4,
    ]


def test_the_first_line_of_the_path_length_fails_at_two_samples() -> None:
    found = method.path_lengths([1, 2, 3, 256]).set_index("n")
    assert found["c(n)"].round(6).to_list() == [0.0, 1.0, 1.207392, 10.244771]
    assert found["first line of (21)"].round(6).to_list()[1:] == [0.154431, 1.207392, 10.244771]
    assert np.isnan(found.loc[1, "first line of (21)"])


def test_a_certificate_is_a_matrix() -> None:
    found = method.certificate_table({(0, 1): True, (1, 0): "unknown"}, ["no", "yes"])
    assert found.to_numpy().tolist() == [["", "proved"], ["unknown", ""]]
    assert method.certificate_table({(0, 1): False}, ["no", "yes"]).loc["no", "yes"] == "separated"


def test_the_bound_of_fipe_cuts_the_single_learner_off() -> None:
    sizes = [int((counterexamples.support_within(BIG_M, bound, "highs") > 0).sum()) for bound in (2.0, 10.0)]
    assert sizes == [2, 1]
    assert Pruner(solver="highs").prune(BIG_M).size == 1


@WIDTHS
def test_votes_picture_frames_the_separating_cells(width: float) -> None:
    grid, initial = method.stumps([0.5, 1.5, 2.5])
    (ax,) = method.votes_picture(grid, initial, KEPT, width).axes
    framed = [patch.get_xy() for patch in ax.patches if patch.get_linewidth() == 2]  # type: ignore[attr-defined]
    assert sorted(int(x) for x, _ in framed) == [1, 1, 2, 2]
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["stump at 0.5", "stump at 1.5", "stump at 2.5", "all, weights 1", *KEPT]


def regions_of_made_up_samples() -> tuple[list[Setting], NDArray[np.float64], NDArray[np.int64]]:
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(np.int64)
    forest = RandomForestClassifier(5, max_depth=1, random_state=0).fit(X, y)
    outliers = IsolationForest(n_estimators=3, max_samples=8, random_state=0).fit(X)
    shares = [(0.0, 0.0), (0.5, 0.0), (0.0, 0.3), (0.5, 0.3)]
    return [make_setting(forest, X, alpha=a, beta=b, isolation_forest=outliers) for a, b in shares], X, y


@WIDTHS
def test_regions_picture_counts_the_cells(width: float) -> None:
    settings, X, y = regions_of_made_up_samples()
    fig = method.regions_picture(settings, X, y, ("first", "second"), width)
    for ax, setting in zip(fig.axes, settings, strict=True):
        codes = method.cells_of(setting.grid)
        assert f"{setting.region.contains(codes).sum()} of {len(codes)} cells" in ax.get_title()


def test_filled_cells_cover_the_region_and_nothing_else() -> None:
    settings, X, _ = regions_of_made_up_samples()
    for setting in settings:
        codes, (_, ax) = method.cells_of(setting.grid), plt.subplots()
        ends = [method.edges(setting.grid, X, j) for j in range(2)]
        inside = method.draw_cells(ax, setting, codes, ends)
        middles = np.column_stack(
            [[(side[c] + side[c + 1]) / 2 for c in codes[:, j]] for j, side in enumerate(ends)]
        )
        boxes = [path for part in ax.collections for path in part.get_paths()]
        covered = [sum(box.contains_point(point) for box in boxes) for point in middles]
        assert covered == inside.astype(int).tolist()


@WIDTHS
def test_pictures_of_the_errata_are_drawn(width: float) -> None:
    for fig in (counterexamples.degenerate_picture(width), counterexamples.big_m_picture(2.0, width)):
        assert fig.get_figwidth() == width
        assert rendered(fig, "svg").startswith(b"<?xml")
