"""Large forests: what a trial measures, and the tables, numbers and figure of it on rows made by hand."""

from __future__ import annotations

import pickle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn.ensemble import RandomForestClassifier

from compactml.chapters.pace.beyond import largest_forests, measured_forests
from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.shown import scale as shown
from compactml.chapters.pace.trials.ensembles import RANDOM_FOREST, trial_ensemble
from compactml.chapters.pace.trials.paper import PRUNE
from compactml.chapters.pace.trials.scale import Scaled
from compactml.study import Profile
from compactml.study.page.html import ShownTable
from compactml.study.page.picture import NARROW, WIDE
from compactml.study.trial import Trial
from tests.chapters.pace.toy_beyond import forest
from tests.chapters.pace.toy_results import results


def rows() -> pd.DataFrame:
    """Two large forests, one of them small in all; one of depth 6; one at another margin; one without a region."""
    small = {"found_size": 3, "pruned": 1, "certified_size": 3, "search_bound": 3, "lower_bound": 3}
    nothing = dict.fromkeys(vars(Scaled()), None) | {"error": "EmptyRegionError", "alpha": 0.3}
    return pd.DataFrame(
        [
            forest(),
            forest("Compas", **small),
            forest(depth=6, found_size=22, certified_size=100, bytes_after=2000, seconds_after=0.004),
            forest(alpha=0.1, found_size=12),
            forest("Compas", **nothing),
        ]
    )


@pytest.mark.usefixtures("iris_in_bins")
def test_a_trial_bounds_what_it_certifies_and_measures_scikit_learns_ensembles() -> None:
    asked = {
        "ensemble": RANDOM_FOREST,
        "n_learners": 6,
        "depth": 2,
        "alpha": 0.1,
        "beta": 0.0,
        "bound_limit": 5.0,
    }
    trial = Trial("pace", "scale", "iris", PRUNE, None, 1, tuple(asked.items()), 60.0)
    measured = {name: value or 0 for name, value in CHAPTER.run(trial).items()}
    sizes = [measured[name] for name in ("search_bound", "lower_bound", "certified_size", "initial_size")]
    assert sizes == sorted(sizes)
    assert (measured["pruned"], measured["found_size"]) == (1, measured["certified_size"])
    model, _ = trial_ensemble(trial)
    assert isinstance(model, RandomForestClassifier)
    assert measured["bytes_before"] == len(pickle.dumps(model))
    assert measured["initial_leaves"] == sum(tree.get_n_leaves() for tree in model.estimators_)
    assert 0 < measured["certified_leaves"] <= measured["initial_leaves"]
    assert min(measured["seconds_before"], measured["seconds_after"]) > 0


def test_an_empty_region_has_no_sizes() -> None:
    assert len(measured_forests(rows())) == 4


def test_the_largest_forests_are_those_at_the_margin_of_all_depths() -> None:
    large = largest_forests(rows())
    assert large[["dataset", "depth", "alpha"]].to_numpy().tolist() == [["Compas", 4, 0.2], ["Seeds", 4, 0.2]]


def test_tables_show_sizes_and_what_is_saved() -> None:
    sizes = shown.sizes_table(rows()).set_index(["dataset", "depth", "alpha"])
    seeds = sizes.loc[("Seeds", 4, 0.2)]
    named = ["smallest found", "certified", "smallest certified", "bound of pruning", "bound"]
    assert seeds[named].tolist() == [8, "no", 50, 4, 5]
    saved = shown.saved_table(rows()).set_index(["dataset", "depth", "alpha"]).loc[("Seeds", 4, 0.2)]
    assert saved[["trees, before", "trees, after", "kB, before", "kB, after"]].tolist() == [100, 50, 2, 1]
    assert saved[["leaves, after", "ms, before", "ms, after"]].tolist() == [800, 4, 1]


@pytest.mark.usefixtures("nothing_recorded")
def test_what_is_shown_needs_no_recorded_row() -> None:
    assert isinstance(shown.sizes(results()), ShownTable)
    assert isinstance(shown.saved(results()), ShownTable)
    assert isinstance(shown.sizes_picture(results(), WIDE), Figure)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_figure_has_a_panel_a_depth_and_one_of_margins(width: float) -> None:
    figure = shown.scale_picture(rows(), width)
    drawn = [ax for ax in figure.axes if ax.get_visible()]
    assert [ax.get_title() for ax in drawn] == [
        "depth 4, margin 0.2", "depth 6, margin 0.2", "depth 4, 100 trees",
    ]  # fmt: skip
    (first, *_) = drawn[0].collections
    tops = [segment[:, 1].tolist() for segment in first.get_segments()]  # type: ignore[attr-defined]
    assert tops == [[3, 3]]  # Compas comes first
    assert [label.get_text() for label in drawn[2].get_xticklabels()] == ["0.1", "0.2"]
    plt.close(figure)


@pytest.mark.parametrize("profile", list(Profile))
def test_each_depth_has_each_size_at_one_margin(profile: Profile) -> None:
    asked = [dict(one.parameters) for one in CHAPTER.trials("scale", profile)]
    shapes = {(one["n_learners"], one["depth"]) for one in asked}
    depths, sizes = {depth for _, depth in shapes}, {n for n, _ in shapes}
    assert shapes == {(n, depth) for n in sizes for depth in depths}
    margins = {
        one["alpha"] for one in asked if (one["n_learners"], one["depth"]) == (max(sizes), min(depths))
    }
    assert len(margins) > 1
    assert np.isclose([one["beta"] for one in asked], 0).all()
