"""Regions without training samples: points are found, or emptiness is proved and the largest margin told."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import IsolationForest

from compactml.clock import Clock
from compactml.pace.errors import EmptyRegionError
from compactml.pace.model.enumerating import all_cells
from compactml.pace.model.setting import make_setting
from compactml.pace.separation import emptiness
from compactml.pace.separation.emptiness import first_points
from tests.pace.tiny_forests import fitted


def cells(setting):
    return np.concatenate(list(all_cells(setting.grid.sizes)))


@pytest.mark.parametrize("kind", ["forest", "extra"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_largest_margin_is_that_of_all_cells(kind, n_classes):
    model, X = fitted(kind, n_classes, n_trees=4)
    setting = make_setting(model, X, alpha=1.0)
    largest = setting.region.margins(cells(setting)).max() / setting.initial.total
    assert largest < 1
    with pytest.raises(EmptyRegionError, match="use a smaller alpha") as caught:
        first_points(setting)
    assert caught.value.largest == pytest.approx(largest)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    reachable = make_setting(model, X, alpha=largest - 1e-9)
    assert reachable.region.contains(first_points(reachable)).all()


def test_the_largest_margin_is_that_of_the_plausible_cells():
    model, X = fitted("forest", 2, n_trees=3)
    forest = IsolationForest(n_estimators=3, max_samples=16, random_state=0).fit(X)
    setting = make_setting(model, X, alpha=1.0, beta=0.95, isolation_forest=forest)
    codes = cells(setting)
    margins = setting.region.margins(codes)
    plausible = margins[setting.region.plausible(codes)].max()
    assert plausible < margins.max()
    with pytest.raises(EmptyRegionError) as caught:
        first_points(setting)
    assert caught.value.largest == pytest.approx(plausible / setting.initial.total)


def test_nothing_is_plausible():
    model, X = fitted("forest", 2, n_trees=3)
    forest = IsolationForest(n_estimators=3, max_samples=8, random_state=0).fit(X)
    setting = make_setting(model, X, beta=0.5, isolation_forest=forest)
    nowhere = replace(setting, region=replace(setting.region, least_length=10**9), samples=X[:0].astype(int))
    with pytest.raises(EmptyRegionError, match="no point that is as plausible has a clear label") as caught:
        first_points(nowhere)
    assert (caught.value.largest, caught.value.exact) == (0, True)


class Stopped(Clock):
    """A clock that has time for some looks."""

    looks = 0

    def stopped(self):
        self.looks -= 1
        return self.looks < 0


@pytest.mark.parametrize(
    ("looks", "said"), [(0, "there was no time left"), (1, "the largest margin is at least 0")]
)
def test_a_largest_margin_that_is_not_proved_is_not_claimed(looks, said, monkeypatch):
    model, X = fitted("forest", 2, n_trees=4)
    setting = make_setting(model, X, alpha=1.0)
    monkeypatch.setattr(Stopped, "looks", looks)
    monkeypatch.setattr(emptiness, "Clock", Stopped)
    with pytest.raises(EmptyRegionError, match=said) as caught:
        first_points(setting)
    assert not caught.value.exact
    assert (caught.value.largest > 0) == (looks > 0)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_points_are_found_where_no_training_sample_is():
    model, X = fitted("forest", 3)
    setting = make_setting(model, X)
    without = replace(setting, samples=setting.samples[:0])
    points = first_points(without)
    assert setting.region.contains(points).all()
    assert sorted(setting.region.labels(points)) == [0, 1, 2]
    assert first_points(setting) is setting.samples


def test_a_search_without_time_claims_nothing():
    model, X = fitted("forest", 2)
    assert len(first_points(make_setting(model, X, alpha=1.0), time_limit=0.0)) == 0
