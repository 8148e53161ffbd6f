"""What the ratios for separation rest on: all forms on the same weights, and honest bounds."""

from dataclasses import replace

import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from benchmarks import pace
from compactml.pace.model.setting import make_setting
from compactml.pace.separation.separator import Separator


@pytest.fixture
def setting():
    X, y = load_iris(return_X_y=True)
    return make_setting(RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, y), X, alpha=0.1)


def test_every_form_is_measured(setting):
    measured = pace.measure(setting, setting.initial)
    assert set(measured) == {form for ratio in pace.RATIOS for form in ratio[:2]}
    assert all(seconds > 0 and finished for seconds, finished in measured.values())


def test_forms_that_disagree_are_an_error(setting, monkeypatch):
    class Liar(Separator):
        def separate(self, current, **options):
            found = super().separate(current, **options)
            wrong = dict.fromkeys(found.proved, self.form != "milp")
            return replace(found, proved=wrong)

    monkeypatch.setattr(pace, "Separator", Liar)
    with pytest.raises(AssertionError, match="pair"):
        pace.measure(setting, setting.initial)


@pytest.mark.parametrize(
    ("slower", "faster", "ratio"),
    [
        ([(8.0, True), (2.0, True)], [(1.0, True), (1.0, True)], "4.0"),
        ([(8.0, False), (2.0, True)], [(1.0, True), (1.0, True)], "> 4.0"),
        ([(8.0, True), (2.0, True)], [(1.0, True), (9.0, False)], "8.0"),
        ([(8.0, True)], [(9.0, False)], "not finished"),
    ],
)
def test_geometric_mean_and_bounds(slower, faster, ratio):
    measured = [{"a": one, "b": other} for one, other in zip(slower, faster, strict=True)]
    assert pace.mean_ratio(measured, "a", "b") == ratio
