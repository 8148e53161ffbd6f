"""Several classes by an ordered list: against all rule sets of tiny tables, read row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from compactml.boolean_rules import BooleanRuleClassifier, RuleList, classifier
from compactml.boolean_rules.classifying import lists, ways
from compactml.boolean_rules.classifying.preparing import Prepared
from compactml.boolean_rules.classifying.ways import Ways
from compactml.clock import Clock
from compactml.errors import InvalidParameterError
from compactml.watch import News, Watch
from tests.boolean_rules.endings import ended_early
from tests.boolean_rules.test_limits import every_set, said_by, wrong
from tests.boolean_rules.test_weights import least_loss, weighted_loss

CLASSES = np.array(["ant", "bee", "cow", "doe"])


def table(seed: int, n: int = 60) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Rows, labels of unequal frequency with some pattern, and whole weights."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, 4))
    which = np.where(rng.random(n) < 0.6, X[:, 0] + X[:, 1] * X[:, 2] + X[:, 3], rng.integers(0, 4, n))
    return X, CLASSES[which], rng.integers(1, 4, n)


def columns(rules: Any) -> list[tuple[int, ...]]:
    return [tuple(int(text[1:]) for text in clause) for clause in rules]


def true(rules: Any, row: NDArray[Any]) -> bool:
    """Whether a rule set holds, as a person reads it."""
    if rules.form == "dnf":
        return any(all(row[j] for j in clause) for clause in columns(rules))
    return all(any(row[j] for j in clause) for clause in columns(rules))


def read(rules: RuleList, row: NDArray[Any]) -> Any:
    return next((stage.label for stage in rules if true(stage, row)), rules.otherwise)


@pytest.mark.parametrize("seed", range(6))
def test_each_stage_is_the_best_of_the_rows_that_those_before_leave(seed: int) -> None:
    X, y, weights = table(seed)
    model = BooleanRuleClassifier(4, several_classes="list", binarizer=None).fit(X, y, sample_weight=weights)
    left = np.ones(len(y), dtype=bool)
    later = set(CLASSES)
    for stage, objective, bound in zip(model.rules_, model.objective_, model.lower_bound_, strict=True):
        rows = left & np.isin(y, list(later))
        problem = (X[rows], y[rows] == stage.label, weights[rows])
        assert objective == bound == least_loss(*problem, 4)
        assert objective == weighted_loss(*problem, columns(stage))
        left &= ~np.array([true(stage, row) for row in X])
        later.remove(stage.label)
    assert later == {model.rules_.otherwise}
    sizes = [
        weights[y == label].sum() for label in [*(s.label for s in model.rules_), model.rules_.otherwise]
    ]
    assert sorted(sizes) in (sizes, sizes[::-1])


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("seed", range(3))
def test_stages_of_the_zero_one_loss_miss_what_the_list_gets_wrong(seed: int, form: str) -> None:
    X, y, weights = table(seed)
    model = BooleanRuleClassifier(  # of the complexity of every_set
        5, form=form, several_classes="list", binarizer=None, loss="zero_one", time_limit=None
    ).fit(X, y, sample_weight=weights)
    left = np.ones(len(y), dtype=bool)
    later = set(CLASSES)
    for stage, objective, bound in zip(model.rules_, model.objective_, model.lower_bound_, strict=True):
        rows = left & np.isin(y, list(later))
        of_class, weight = y[rows] == stage.label, weights[rows]
        best = min(wrong(of_class, said, weight) for _, said in every_set(X[rows], form))
        assert objective == bound == best
        left &= ~said_by(X, columns(stage), form)
        later.remove(stage.label)
    assert model.objective_.sum() == weights[model.predict(X) != y].sum()


@pytest.mark.parametrize("form", ["dnf", "cnf"])
def test_each_class_against_the_others_has_the_least_zero_one_loss(form: str) -> None:
    X, y, weights = table(1)
    model = BooleanRuleClassifier(
        5,
        form=form,
        binarizer=None,
        loss="zero_one",
        several_classes="one_vs_rest",
        error_costs=(2.0, 1.0),
        time_limit=None,
    ).fit(X, y, sample_weight=weights)
    for label, rules, objective, bound in zip(
        model.classes_, model.rules_, model.objective_, model.lower_bound_, strict=True
    ):
        costs = weights * np.where(y == label, 2, 1)
        assert objective == bound == min(wrong(y == label, said, costs) for _, said in every_set(X, form))
        assert objective == wrong(y == label, said_by(X, columns(rules), form), costs)


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("seed", range(4))
def test_predictions_are_what_a_reader_reads(seed: int, form: str) -> None:
    X, y, _ = table(seed)
    model = BooleanRuleClassifier(6, form=form, several_classes="list", binarizer=None).fit(X, y)
    every = np.array(list(np.ndindex(2, 2, 2, 2)))
    expected = [read(model.rules_, row) for row in every]
    assert model.predict(every).tolist() == expected
    shares = model.predict_proba(every)
    assert np.allclose(shares.sum(axis=1), 1)
    assert (shares > 0).all()
    assert model.classes_[shares.argmax(axis=1)].tolist() == expected
    assert model.decision_function(every).shape == (16, 4)
    assert model.training_errors_ == sum(
        read(model.rules_, row) != label for row, label in zip(X, y, strict=True)
    )


def test_probabilities_are_shares_of_the_rows_that_come_to_a_clause() -> None:
    # "c" is described by x0, then "b" by x1; two rows of "a" satisfy x0, and "b" is only what is left of x1
    X = np.repeat([[1, 0], [1, 1], [0, 1], [0, 0]], [5, 2, 9, 20], axis=0)
    y = np.array(["c"] * 5 + ["a"] * 2 + ["b"] * 8 + ["a"] * 1 + ["a"] * 20)
    model = BooleanRuleClassifier(2, several_classes="list", binarizer=None).fit(X, y)
    assert [(stage.label, list(stage)) for stage in model.rules_] == [("c", [("x0",)]), ("b", [("x1",)])]
    expected = [[3 / 10, 1 / 10, 6 / 10], [2 / 12, 9 / 12, 1 / 12], [21 / 23, 1 / 23, 1 / 23]]
    assert np.allclose(model.predict_proba([[1, 1], [0, 1], [0, 0]]), expected)
    assert str(model.rules_) == "c if\n     (x0)\nelse b if\n     (x1)\nelse a"
    assert model.rules_.complexity == 4
    assert model.rules_[1].label == "b"


@pytest.mark.parametrize("sizes", [(4, 6, 10), (10, 6, 4)])
def test_the_better_of_two_orders_is_kept(sizes: tuple[int, ...]) -> None:
    # only the first two classes can be described, so the third must be what is left
    X = np.repeat([[1, 0], [0, 1], [0, 0]], sizes, axis=0)
    model = BooleanRuleClassifier(2, several_classes="list", binarizer=None).fit(
        X, np.repeat(["a", "b", "c"], sizes)
    )
    assert [stage.label for stage in model.rules_] == ["a", "b"]
    assert model.training_errors_ == 0


def test_news_add_up_over_the_stages_and_never_get_worse() -> None:
    X, y, _ = table(0)
    news: list[News] = []
    model = BooleanRuleClassifier(4, several_classes="list", binarizer=None, callback=news.append).fit(X, y)
    assert (news[-1].value, news[-1].bound) == (model.objective_.sum(), model.lower_bound_.sum())
    assert [one.value for one in news] == sorted((one.value for one in news), reverse=True)
    bounds = [one.bound for one in news[:-1]]  # those of the first list; the last news may be of the second
    assert bounds == sorted(bounds)


def test_a_list_ends_where_no_row_is_left() -> None:
    X = np.repeat([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [2, 3, 4], axis=0)
    y = np.repeat(["a", "b", "c"], [2, 3, 4])
    costly = BooleanRuleClassifier(6, several_classes="list", binarizer=None, error_costs=(1e6, 1.0)).fit(
        X, y
    )
    assert costly.training_errors_ == 0
    everything = BooleanRuleClassifier(
        4, form="cnf", several_classes="list", binarizer=None, error_costs=(1e6, 1.0)
    )
    everything.fit(np.ones((9, 1), dtype=int), y)  # a class takes all rows: it costs more to miss one
    assert len(everything.rules_) == 1
    assert everything.predict([[1], [0]]).tolist() == ["c", "c"]


def held_out(X: NDArray[Any], y: NDArray[Any], weights: NDArray[Any], way: str) -> NDArray[Any]:
    """Whether each row is right where it is held out; the folds are those that the docstring tells of."""
    right = np.zeros(len(y), dtype=bool)
    for train, held in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        model = BooleanRuleClassifier(4, binarizer=None, several_classes=way, time_limit=None)
        right[held] = model.fit(X[train], y[train], weights[train]).predict(X[held]) == y[held]
    return right


def test_the_way_is_the_list_unless_the_other_is_right_more_often_on_rows_held_out() -> None:
    taken = []
    for seed in range(8):
        X, y, weights = table(seed)
        difference = weights * (
            1.0 * held_out(X, y, weights, "one_vs_rest") - held_out(X, y, weights, "list")
        )
        other = difference.sum() > 0
        taken.append(other)
        model = BooleanRuleClassifier(4, binarizer=None, several_classes="auto", time_limit=None).fit(
            X, y, weights
        )
        way = "one_vs_rest" if other else "list"
        alone = BooleanRuleClassifier(4, binarizer=None, several_classes=way, time_limit=None).fit(
            X, y, weights
        )
        assert isinstance(model.rules_, RuleList) == (way == "list")
        assert list(model.rules_) == list(alone.rules_)
        assert (model.predict_proba(X) == alone.predict_proba(X)).all()
    assert 0 < sum(taken) < len(taken)


def test_many_rows_are_held_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, _ = table(0, n=90)
    sizes: list[int] = []
    learn = Ways.learn

    def counted(self: Ways, way: str, rows: Prepared, clock: Clock, watch: Watch) -> Any:
        sizes.append(len(rows.which))
        return learn(self, way, rows, clock, watch)

    monkeypatch.setattr(Ways, "learn", counted)
    asked = BooleanRuleClassifier(2, binarizer=None, several_classes="auto")
    asked.fit(X, y)
    assert sizes == [60] * 6 + [90]
    sizes.clear()
    monkeypatch.setattr(ways, "ROWS_OF_ONE_FOLD", 30)
    asked.fit(X, y)
    assert sizes == [60] * 2 + [90]
    sizes.clear()
    asked.fit(np.eye(4, dtype=int), list("abcd"))  # nothing to hold out
    assert sizes == [4]


def test_an_interrupt_of_the_choice_still_gives_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, _ = table(0)
    learn, calls = lists.learn_one, iter(range(99))

    def interrupted(problem: Any, options: Any, clock: Clock, watch: Watch, tell: Any) -> Any:
        if next(calls) == 2:
            with watch.interruptible():
                raise KeyboardInterrupt
        return learn(problem, options, clock, watch, tell)

    monkeypatch.setattr(lists, "learn_one", interrupted)
    monkeypatch.setattr(classifier, "AFTER_AN_INTERRUPT", 60.0)
    with ended_early("BooleanRuleClassifier: an interrupt"):
        model = BooleanRuleClassifier(4, binarizer=None, several_classes="auto").fit(X, y)
    alone = BooleanRuleClassifier(4, binarizer=None, several_classes="list").fit(X, y)
    assert isinstance(model.rules_, RuleList)
    assert list(model.rules_) == list(alone.rules_)


def test_another_way_is_refused_and_two_classes_need_none() -> None:
    X, y, _ = table(0)
    with pytest.raises(InvalidParameterError, match=r"^several_classes: must be .*list.*got 'tree'"):
        BooleanRuleClassifier(several_classes="tree", binarizer=None).fit(X, y)
    two = BooleanRuleClassifier(4, several_classes="list", binarizer=None).fit(X, y == "bee")
    assert not isinstance(two.rules_, RuleList)
