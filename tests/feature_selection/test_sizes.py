"""The number of features: paths over it, its choice by cross-validation, and the order of what is left out."""

import subprocess
import sys
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from compactml.errors import InvalidParameterError
from compactml.feature_selection import CFSSelector, MRMRSelector, mrmr_program, selection_path, verify
from compactml.feature_selection.building import measure
from compactml.feature_selection.selectors.sizes import smallest_good_size
from compactml.watch import EndedEarlyWarning

SELECTORS = (CFSSelector, MRMRSelector)
RNG = np.random.default_rng(8)
Y = RNG.integers(0, 3, 90)
X = pd.DataFrame({f"x{i}": np.where(RNG.random(90) < 0.1 * i, Y, RNG.integers(0, 3, 90)) for i in range(6)})


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("method", ["certified", "newton"])
def test_a_path_has_the_best_set_of_each_size(selector, method):
    own = selector(method=method, gap_rel=0.0, gap_abs=1e-9)
    path = selection_path(own, X, Y, 6)
    assert path.sizes.tolist() == [1, 2, 3, 4, 5, 6]
    for size, value, bound, names, result in zip(
        path.sizes, path.values, path.bounds, path.sets, path.results, strict=True
    ):
        program = own._program(measure(X, Y), int(size))
        best = max(program.value(support) for support in combinations(range(6), size))
        assert value == pytest.approx(best, abs=1e-8)
        assert best <= bound + 1e-9
        assert names == tuple(X.columns[result.support])
        if method == "certified":
            assert verify(program, result.certificate) == result.bound
    assert not hasattr(own, "support_")


def test_bounds_without_own_entropies_hold_for_larger_sets():
    """Where a size is not proved, the bound of a smaller one is one."""
    rng = np.random.default_rng(1)
    table, target = rng.integers(3, size=(40, 60)), rng.integers(2, size=40)
    with pytest.warns(EndedEarlyWarning, match=r"time_limit=0.05 s, at \d+ of 8 sizes") as caught:
        path = selection_path(MRMRSelector(gap_rel=0.0, gap_abs=0.0, time_limit=0.05), table, target, 8)
    assert len(caught) == 1
    assert (np.diff(path.bounds) <= 0).all()
    measures = measure(table, target)
    for size, bound in zip(path.sizes, path.bounds, strict=True):
        program = mrmr_program(measures, int(size))
        assert all(program.value(rng.permutation(60)[:size]) <= bound for _ in range(200))


def test_a_path_has_a_table_and_a_picture():
    path = selection_path(CFSSelector(), X, Y, 4)
    table = path.table()
    assert table["size"].tolist() == [1, 2, 3, 4]
    assert table["proved"].all()
    assert table["columns"].iloc[0] == path.sets[0][0]
    axes = path.plot(Figure().subplots())
    assert axes.lines[0].get_ydata() == pytest.approx(path.values)
    assert path.plot(axes) is axes
    new = path.plot()
    plt.close(new.figure)
    assert new is not axes


def test_matplotlib_is_not_imported_before_a_picture():
    code = "import sys; import compactml.feature_selection; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((LogisticRegression(), X, Y), "selector"), ((CFSSelector(), X, Y, 0), "largest_k"),
     ((CFSSelector(method="magic"), X, Y), "method"), ((CFSSelector(time_limit=-1), X, Y), "time_limit")],
)  # fmt: skip
def test_arguments_of_a_path(arguments, name):
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        selection_path(*arguments)


class TestCrossValidation:
    @pytest.mark.parametrize("selector", SELECTORS)
    def test_the_size_that_is_needed(self, selector):
        """Two columns decide the class; six are noise."""
        rng = np.random.default_rng(2)
        table = rng.integers(0, 2, (200, 8))
        y = table[:, 2] + table[:, 5]
        fitted = selector("cv", largest_k=5).fit(table, y)
        assert fitted.k_ == 2
        assert fitted.get_support(indices=True).tolist() == [2, 5]
        assert fitted.cv_scores_.shape == (5, 5)
        assert (fitted.cv_scores_[:, 1] == 1.0).all()
        assert fitted.result_.proved

    def test_folds_and_estimator_of_the_caller(self):
        X, y = load_breast_cancer(return_X_y=True)
        fitted = CFSSelector("cv", largest_k=3, cv=KFold(4), estimator=LogisticRegression()).fit(X, y)
        assert fitted.cv_scores_.shape == (4, 3)
        assert fitted.k_ == fitted.get_support().sum() == smallest_good_size(fitted.cv_scores_)

    def test_numbers(self):
        rng = np.random.default_rng(3)
        table = rng.random((150, 5))
        fitted = CFSSelector("cv", largest_k=3).fit(table, 3 * table[:, 1] + 0.01 * rng.random(150))
        assert fitted.get_support(indices=True)[0] == 1
        assert fitted.cv_scores_.mean() > 0.7

    def test_the_smallest_size_within_a_standard_error(self):
        scores = np.array([[0.1, 0.7, 0.8], [0.1, 0.8, 0.8], [0.1, 0.8, 1.0]])
        assert smallest_good_size(scores) == 3  # .767 is below .867 - .067
        assert smallest_good_size(scores[:2]) == 3  # without spread
        assert smallest_good_size(np.array([[0.5, 0.8, 0.7], [0.7, 0.7, 0.9]])) == 2
        assert smallest_good_size(np.empty((0, 4))) == 4

    def test_folds_that_the_limit_ends_are_said(self):
        with pytest.warns(EndedEarlyWarning, match="5 folds before their end") as caught:
            fitted = CFSSelector("cv", largest_k=4, time_limit=1e-6).fit(X, Y)
        assert len(caught) == 1
        assert fitted.get_support().sum() == fitted.k_ == 4


@pytest.mark.parametrize("selector", SELECTORS)
def test_scores_and_ranking(selector):
    table = X.assign(same=1)
    fitted = selector(2, gap_rel=0.0, gap_abs=1e-9).fit(table, Y)
    assert fitted.scores_.shape == (7,)
    assert fitted.scores_[6] == 0
    with_class, _ = measure(X, Y).uncertainty()
    expected = with_class if selector is CFSSelector else measure(X, Y).relevance
    np.testing.assert_allclose(fitted.scores_[:6], expected)
    assert (fitted.ranking_ == 1).tolist() == fitted.get_support().tolist()
    assert sorted(fitted.ranking_.tolist()) == [1, 1, 2, 3, 4, 5, 6]
    assert fitted.ranking_[6] == 6  # constant


def test_the_ranking_goes_on_as_forward_selection_does():
    fitted = CFSSelector(2, gap_rel=0.0, gap_abs=1e-9).fit(X, Y)
    chosen = fitted.result_.support.tolist()
    for rank in range(2, 6):
        others = [j for j in range(6) if j not in chosen]
        best = max(others, key=lambda j: fitted.program_.value([*chosen, j]))
        assert fitted.ranking_[best] == rank
        chosen.append(best)
