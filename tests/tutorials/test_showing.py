"""What the tutorials show: no sentence that is not so, counts that can be done by hand, whole pictures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from compactml.condition_sharing import share_conditions
from compactml.tutorials import (
    ACCURACY,
    SECONDS,
    SIZE,
    SentenceNotSoError,
    agreement,
    compete,
    curves,
    in_points,
    most_thresholds,
    rows_of_dots,
    said,
    shared_rows,
    votes_rows,
)


def test_a_sentence_that_is_not_so_ends_the_page_and_is_named() -> None:
    said({"two is even": True})
    with pytest.raises(SentenceNotSoError, match=r"two is odd; three is even$"):
        said({"two is odd": False, "two is even": True, "three is even": False})


def test_models_compete_on_the_same_rows() -> None:
    X, y = load_iris(return_X_y=True)
    models = {f"{n} leaves": DecisionTreeClassifier(max_leaf_nodes=n) for n in (2, 3)}
    rows, fitted = compete(models, (X, y), (X, y), size=lambda tree: tree.get_n_leaves())
    assert rows.index.tolist() == list(models) == list(fitted)
    assert rows[SIZE].tolist() == [2, 3]
    # one split parts one species from two, of fifty flowers each
    assert rows.loc["2 leaves", ACCURACY] == pytest.approx(100 * 100 / 150, abs=0.005)
    assert (rows[SECONDS] >= 0).all()


def test_thresholds_are_counted_by_column() -> None:
    X = np.arange(8.0)[:, None] * [1.0, 0.0]
    tree = DecisionTreeClassifier().fit(X, [0, 1, 1, 0, 0, 0, 1, 1])

    class Two:
        """The same tree twice: a threshold counts once."""

        estimators_ = (tree, tree)

    assert most_thresholds(Two()) == 3


def test_what_sharing_changed_is_counted_on_the_forests_themselves() -> None:
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    rows = shared_rows({"forest": forest}, {"forest": share_conditions(forest, X)}, (X, y))
    (row,) = rows.to_dict("records")
    assert row["conditions after"] < row["conditions before"]
    assert row["test predictions changed"] == row["training paths changed"] == 0
    assert row["test accuracy before (%)"] == row["test accuracy after (%)"]


def test_votes_are_counted_as_by_hand() -> None:
    votes = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1], [1, 1, 1]])
    accuracies = votes_rows({"all": ([0, 1, 2], 1), "first": ([0], 0)}, votes, [True, False, False, True])
    assert accuracies.to_dict() == {"all": 100.0, "first": 75.0}


def test_other_decisions_are_counted_in_the_region_and_outside() -> None:
    class Says:
        def __init__(self, *words: str) -> None:
            self.words = np.array(words)

        def predict(self, X: object) -> np.ndarray:
            return self.words

    inside = np.array([True, True, False])
    assert agreement(Says("a", "b", "a"), Says("a", "a", "b"), None, inside) == {
        "other decisions, in the region": 1,
        "outside": 1,
    }


def test_pictures_have_a_layout_for_each_screen_and_say_what_is_seen() -> None:
    rows = pd.DataFrame({"before": [10, 100], "after": [1, 20]}, index=["a forest", "another"])
    words = {"finding": "It gets smaller.", "drawn": "A dot a number."}
    dots = rows_of_dots(rows, ["before", "after"], "conditions", "toy", log=True, **words)
    lines = curves(
        rows.T.reset_index(drop=True), "length", "accuracy (%)", "toy", levels={"all": 5.0}, **words
    )
    for shown in (dots, lines):
        assert shown.count("<svg") == 2
        assert 'aria-label="It gets smaller. A dot a number."' in shown


def test_a_share_is_said_in_points() -> None:
    assert in_points(0.9049) == "90.5"
