"""One tree for an ensemble: right on every cell of the region, and no test of it is needless."""

from __future__ import annotations

import pytest
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from compactml.errors import InvalidParameterError
from compactml.pace import single_tree
from compactml.pace._single_tree import _shorter
from compactml.pace.rechecking import recheck
from compactml.watch import EndedEarlyWarning
from tests.pace.test_compress import all_codes, disagreements
from tests.pace.tiny_samples import tiny_forest


@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 0.0), (0.1, 0.0), (0.0, 0.2)])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_the_tree_agrees_on_every_cell_and_needs_every_test(
    seed: int, n_classes: int, alpha: float, beta: float
) -> None:
    forest, X = tiny_forest(n_classes, seed=seed)
    result = single_tree(forest, X, alpha=alpha, beta=beta)
    assert result.n_learners_ == 1
    assert result.certificate_.faithful
    assert disagreements(result, forest) == 0
    assert len(recheck(result, forest).disagreements) == 0
    codes = all_codes(result.setting)
    labels = result.setting.region.labels(codes)
    for shorter in _shorter(result.trees_[0]):
        assert (shorter.scores_of(codes).argmax(axis=1) != labels).any()


def test_boosting_becomes_one_tree() -> None:
    forest, X = tiny_forest(2)
    stump = DecisionTreeClassifier(max_depth=1)
    boosted = AdaBoostClassifier(stump, n_estimators=20, random_state=0).fit(X, forest.predict(X))
    result = single_tree(boosted, X)
    assert result.certificate_.faithful
    assert disagreements(result, boosted) == 0


def test_a_region_of_one_label_is_a_leaf() -> None:
    _, X = tiny_forest(2)
    always = RandomForestClassifier(3, random_state=0).fit(X, [0] * 89 + [1])
    result = single_tree(always, X, alpha=1.0)
    assert result.certificate_.faithful
    assert result.n_leaves_ == 1


def test_a_limit_on_leaves_is_kept_and_the_certificate_is_honest() -> None:
    forest, X = tiny_forest(3)
    whole = single_tree(forest, X)
    result = single_tree(forest, X, max_leaves=3, uncertified=True)
    assert result.n_leaves_ <= 3 < whole.n_leaves_
    assert disagreements(result, forest) > 0
    assert False in result.certificate_.proved.values()
    certified = single_tree(forest, X, max_leaves=3)
    assert certified.ensemble.learners == certified.setting.initial.learners
    assert certified.certificate_.faithful
    same = single_tree(forest, X, max_leaves=10_000)
    assert same.n_leaves_ == whole.n_leaves_
    with pytest.raises(InvalidParameterError, match="max_leaves"):
        single_tree(forest, X, max_leaves=1)


def test_without_time_nothing_is_claimed() -> None:
    forest, X = tiny_forest(3)
    for uncertified in (True, False):
        with pytest.warns(EndedEarlyWarning, match=r"single_tree: time_limit=0 s"):
            result = single_tree(forest, X, time_limit=0, uncertified=uncertified)
        assert set(result.certificate_.proved.values()) == {"unknown" if uncertified else True}
        assert result.n_learners_ == len(forest.estimators_)
