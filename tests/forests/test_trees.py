"""Arrays of trees against scikit-learn's own predictions and anomaly scores."""

import numpy as np
import pytest
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier

from compactml.errors import InvalidParameterError
from compactml.forests import (
    UnfittedEnsembleError,
    UnsupportedEnsembleError,
    average_path_length,
    forest_arrays,
    isolation_trees,
)

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(150, 4))
Y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2], [-0.5, 0.7])
NAMES = np.array(["a", "b", "c"])[Y]


def walk(tree, x):
    """Scores of the leaf of one sample, by the definition."""
    node = 0
    while tree.feature[node] >= 0:
        left = np.float32(x[tree.feature[node]]) <= tree.threshold[node]
        node = tree.left[node] if left else tree.right[node]
    return tree.scores[node]


def summed(forest):
    """Weighted scores of all samples."""
    return np.array(
        [sum(w * walk(tree, x) for w, tree in zip(forest.weights, forest.trees, strict=True)) for x in X]
    )


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
def test_soft_votes_are_the_probabilities_of_the_forest(kind):
    model = kind(7, max_depth=3, random_state=0, class_weight="balanced").fit(X, NAMES)
    forest = forest_arrays(model)
    assert forest.votes == "soft"
    assert forest.classes.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(summed(forest) / 7, model.predict_proba(X), atol=1e-12)


def test_hard_votes_of_a_forest_count_the_trees():
    model = RandomForestClassifier(7, max_depth=3, random_state=0).fit(X, Y)
    votes = np.stack([member.predict(X) for member in model.estimators_])
    counts = np.stack([(votes == c).sum(axis=0) for c in range(3)], axis=1)
    assert np.array_equal(summed(forest_arrays(model, "hard")), counts)


@pytest.mark.parametrize("labels", [NAMES, Y > 0])
def test_hard_votes_of_adaboost_give_its_decision(labels):
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=8, random_state=0)
    forest = forest_arrays(model.fit(X, labels))
    scores = summed(forest)
    assert forest.votes == "hard"
    assert np.array_equal(forest.classes[scores.argmax(axis=1)], model.predict(X))
    # A vote for c adds 1 to c and takes 1 / (C - 1) from the others, in the mean over all weights.
    factor = len(forest.classes) / (len(forest.classes) - 1)
    decision = model.decision_function(X)
    expected = decision if decision.ndim == 1 else decision[:, 1] - decision[:, 0]
    margins = (scores[:, 1] - scores[:, 0]) / forest.weights.sum()
    np.testing.assert_allclose(factor * margins, expected, atol=1e-12)


def test_weights_of_adaboost_end_with_the_fitted_trees():
    model = AdaBoostClassifier(DecisionTreeClassifier(), n_estimators=8, random_state=0).fit(X, Y)
    assert len(model.estimators_) < 8 == len(model.estimator_weights_)
    forest = forest_arrays(model)
    assert len(forest.weights) == len(forest.trees) == len(model.estimators_)


def test_mean_path_lengths_of_isolation_trees():
    expected = [0, 1, 1.207392, 1.851656, 2.327020, 3.296252, 8.364671, 10.244771]
    np.testing.assert_allclose(average_path_length([1, 2, 3, 4, 5, 8, 100, 256]), expected, atol=5e-7)
    assert average_path_length(0) == 0
    assert 3 + average_path_length(5) == pytest.approx(5.327020, abs=5e-7)


@pytest.mark.parametrize(
    "settings", [{}, {"max_features": 0.5}, {"max_features": 3, "bootstrap": True}, {"max_samples": 2}]
)
def test_path_lengths_give_the_anomaly_scores(settings):
    """(22) with the path lengths of our leaves is scikit-learn's score."""
    model = IsolationForest(n_estimators=12, random_state=0, **settings).fit(X)
    lengths = np.array([sum(walk(tree, x)[0] for tree in isolation_trees(model)) for x in X])
    scores = 2.0 ** (-lengths / (12 * average_path_length(model.max_samples_)))
    np.testing.assert_allclose(scores, -model.score_samples(X), rtol=1e-9)


@pytest.mark.parametrize(
    ("model", "named"),
    [
        (RandomForestRegressor(2).fit(X, X[:, 0]), "RandomForestRegressor"),
        (GradientBoostingClassifier(n_estimators=2).fit(X, Y), "GradientBoostingClassifier"),
        (HistGradientBoostingClassifier(max_iter=2).fit(X, Y), "categorical splits"),
        (RandomForestClassifier(2).fit(X, np.stack([Y, Y], axis=1)), "2 outputs"),
        (RandomForestClassifier(2).fit(X, np.zeros(len(X))), "one class"),
        (None, "NoneType"),
    ],
)
def test_other_ensembles_are_refused(model, named):
    with pytest.raises(UnsupportedEnsembleError, match=named) as caught:
        forest_arrays(model)
    assert "Regressor" not in caught.value.allowed


def test_unfitted_ensembles_are_refused():
    with pytest.raises(UnfittedEnsembleError, match="RandomForestClassifier"):
        forest_arrays(RandomForestClassifier())
    with pytest.raises(UnfittedEnsembleError, match="IsolationForest"):
        isolation_trees(IsolationForest())
    with pytest.raises(UnsupportedEnsembleError, match="IsolationForest"):
        isolation_trees(RandomForestClassifier())


def test_votes_that_do_not_exist_are_refused():
    model = AdaBoostClassifier(n_estimators=2).fit(X, Y)
    for votes in ("soft", "loud"):
        with pytest.raises(InvalidParameterError, match="votes"):
            forest_arrays(model, votes)
