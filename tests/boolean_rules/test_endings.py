"""What a caller sees of a long run: news, one warning, the best answer after a limit or Ctrl-C."""

from __future__ import annotations

import dataclasses
import pickle
import signal
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from compactml.boolean_rules import BooleanRuleClassifier, BooleanRuleClassifierCV, learn
from compactml.errors import InvalidParameterError
from compactml.watch import News, recorded
from tests.boolean_rules.endings import ended_early
from tests.boolean_rules.tiny_instances import from_rows

HARD = """
import numpy as np
rng = np.random.default_rng(1)
X, y = rng.integers(0, 2, (400, 30)), rng.random(400) < 0.5
"""


def hard() -> tuple[NDArray[Any], NDArray[Any]]:
    """Labels without any pattern, of which nothing is proved in seconds."""
    rng = np.random.default_rng(1)
    return rng.integers(0, 2, (400, 30)), rng.random(400) < 0.5


def easy() -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (80, 6))
    return X, X[:, 0] & X[:, 1] | X[:, 2] & (rng.random(80) < 0.9)


def interrupt(news: News) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("pricing", ["branch_and_bound", "heuristic", "paper"])
def test_a_limit_ends_with_the_best_so_far_and_one_warning(pricing: str) -> None:
    X, y = hard()
    model = BooleanRuleClassifier(20, pricing=pricing, time_limit=0.2, binarizer=None)
    with ended_early("BooleanRuleClassifier: time_limit=0.2 s"):
        model.fit(X, y)
    assert 0 <= model.lower_bound_ < model.objective_ <= y.sum()


def test_a_proof_gives_no_warning_and_a_gap_asked_for_is_one() -> None:
    X, y = easy()
    assert BooleanRuleClassifier(6, binarizer=None).fit(X, y).gap_ == 0
    X, y = hard()
    model = BooleanRuleClassifier(20, gap=0.99, binarizer=None).fit(X, y)
    assert 0 < model.gap_ <= 0.99


def test_all_classes_share_one_limit_and_one_warning() -> None:
    rng = np.random.default_rng(2)
    X, labels = rng.integers(0, 2, (3000, 60)), rng.integers(0, 4, 3000)
    model = BooleanRuleClassifier(20, time_limit=4.0, binarizer=None, several_classes="one_vs_rest")
    with ended_early("BooleanRuleClassifier: time_limit=4 s"):
        model.fit(X, labels)
    ends = [history[-1].seconds for history in model.history_]
    assert all(model.objective_ < model.class_counts_)  # each had its turn
    assert ends == sorted(ends)
    assert len(model.rules_) == 4


def test_all_stages_share_one_limit_and_one_warning() -> None:
    rng = np.random.default_rng(2)
    X, labels = rng.integers(0, 2, (3000, 60)), rng.integers(0, 4, 3000)
    model = BooleanRuleClassifier(20, time_limit=6.0, binarizer=None, several_classes="list")
    with ended_early("BooleanRuleClassifier: time_limit=6 s"):
        model.fit(X, labels)
    assert len(model.rules_) == 3
    assert all(len(rules) > 0 for rules in model.rules_)  # each had its turn
    assert model.training_errors_ < 3000 - model.class_counts_.max()


def test_news_come_of_loss_and_bound(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = easy()
    news: list[News] = []
    model = BooleanRuleClassifier(6, binarizer=None, verbose=True, callback=news.append).fit(X, y)
    assert (news[-1].value, news[-1].bound) == (model.objective_, model.lower_bound_)
    assert [one.value for one in news] == sorted((one.value for one in news), reverse=True)
    assert [one.bound for one in news] == sorted(one.bound for one in news)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(news)
    assert lines[-1].startswith(
        f"BooleanRuleClassifier: value {model.objective_:g}, bound {model.lower_bound_:g}"
    )


def test_news_of_several_classes_add_up() -> None:
    X, _ = easy()
    labels, news = X[:, 0] + X[:, 1], list[News]()
    model = BooleanRuleClassifier(4, binarizer=None, several_classes="one_vs_rest", callback=news.append)
    model.fit(X, labels)
    assert (news[-1].value, news[-1].bound) == (model.objective_.sum(), model.lower_bound_.sum())
    assert all(one.bound <= model.objective_.sum() <= one.value for one in news)


@pytest.mark.parametrize("pricing", ["branch_and_bound", "heuristic"])
def test_an_interrupt_keeps_the_best_so_far(pricing: str) -> None:
    X, y = easy()
    model = BooleanRuleClassifier(6, pricing=pricing, binarizer=None, callback=interrupt)
    with ended_early("BooleanRuleClassifier: an interrupt"):
        model.fit(X, y)
    assert model.lower_bound_ <= model.objective_ <= y.sum()
    assert len(model.predict(X)) == len(X)


def test_an_interrupt_leaves_later_classes_empty_and_says_so() -> None:
    X, _ = easy()
    model = BooleanRuleClassifier(4, binarizer=None, several_classes="one_vs_rest", callback=interrupt)
    with ended_early("BooleanRuleClassifier: an interrupt"):
        model.fit(X, X[:, 0] + X[:, 1])
    ordered = BooleanRuleClassifier(4, binarizer=None, callback=interrupt)
    with ended_early("BooleanRuleClassifier: an interrupt"):
        ordered.fit(X, X[:, 0] + X[:, 1])
    assert [len(rules) for rules in ordered.rules_][1:] == [0]
    assert [len(rules) for rules in model.rules_][1:] == [0, 0]
    assert (model.lower_bound_[1:] == 0).all()
    assert (model.objective_[1:] == model.class_counts_[1:]).all()


def test_the_function_and_recorded_trials_do_not_keep_half_an_answer() -> None:
    X, y = easy()
    with pytest.raises(KeyboardInterrupt):
        learn(from_rows(X, y), 6, callback=interrupt)
    with pytest.raises(KeyboardInterrupt), recorded():
        BooleanRuleClassifier(6, binarizer=None, callback=interrupt).fit(X, y)


PROGRAM = (
    HARD
    + """
import warnings
from compactml.boolean_rules import BooleanRuleClassifier

def ready(news):
    print("ready", flush=True)

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    model = BooleanRuleClassifier(20, time_limit=None, binarizer=None, callback=ready).fit(X, y)
print("ended", model.lower_bound_, model.objective_, y.sum(), len(caught), caught[0].message)
"""
)


def test_ctrl_c_in_a_real_process_keeps_the_best_so_far() -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    last = out.splitlines()[-1].split(maxsplit=5)
    assert last[0] == "ended"
    bound, loss, positives, n_warnings = map(int, last[1:5])
    assert 0 <= bound < loss < positives
    assert n_warnings == 1
    assert "an interrupt ended the work" in last[5]


def without_seconds(thing: Any) -> Any:
    """The same as plain containers, fields named ``seconds`` blank."""
    if isinstance(thing, tuple | list):
        return [without_seconds(one) for one in thing]
    if isinstance(thing, dict):
        return {key: without_seconds(value) for key, value in thing.items()}
    if dataclasses.is_dataclass(thing):
        fields = {field.name: getattr(thing, field.name) for field in dataclasses.fields(thing)}
        return {name: 0 if name == "seconds" else without_seconds(value) for name, value in fields.items()}
    if hasattr(thing, "get_params"):
        return without_seconds(vars(thing))
    return thing


def test_equal_fits_are_equal_but_for_seconds() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 5))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=300) > 0).astype(int)
    for model in (
        BooleanRuleClassifier(8),
        BooleanRuleClassifier(5, class_weight="balanced"),
        BooleanRuleClassifierCV((2, 4), cv=2),
    ):
        first, second = (pickle.dumps(without_seconds(model.fit(X, y))) for _ in range(2))
        assert first == second


@pytest.mark.parametrize(("name", "value"), [("verbose", 1), ("callback", "loud")])
def test_a_parameter_outside_its_range_is_named(name: str, value: Any) -> None:
    X, y = easy()
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        BooleanRuleClassifier(binarizer=None, **{name: value}).fit(X, y)
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        learn(from_rows(X, y), 4, **{name: value})
