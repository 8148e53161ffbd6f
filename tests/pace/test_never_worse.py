"""`compress` on forests as people have them: certified, never larger than they were, and better with more time.

Time is counted here: each look at the clock takes a unit, so that a run is the same on every machine.
"""

from __future__ import annotations

import itertools
import pickle
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier

from compactml.clock import Clock
from compactml.errors import InvalidParameterError
from compactml.pace._compress import GENERATE_FIRST, compress, compressed_under
from compactml.pace._fipe import fipe
from compactml.pace._single_tree import single_tree
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.improving import dropped, spared
from compactml.pace.loop import LEAVES, Compression
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import make_setting
from compactml.pace.rechecking import recheck
from compactml.pace.refitting import refit
from compactml.pace.separation.separator import Separator
from compactml.watch import EndedEarlyWarning, News, Watch, recorded
from tests.pace.test_compress import all_codes
from tests.pace.tiny_samples import tiny_forest

LIMITS = (5, 60, 400)


@dataclass
class Counted(Clock):
    """A clock that goes on by one whenever it is looked at."""

    looks: int = 0

    @property
    def seconds(self) -> float:
        self.looks += 1
        return float(self.looks)


def binary_digits() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_digits(return_X_y=True)
    return X, (y >= 5).astype(int)


SETS = {
    "breast cancer": load_breast_cancer(return_X_y=True),
    "digits": binary_digits(),
    "wine": load_wine(return_X_y=True),
}


def under_counted_work(
    forest: Any, X: np.ndarray, limit: int, **how: Any
) -> tuple[CompressedEnsemble, list[News]]:
    heard: list[News] = []
    watch = Watch("compress", Counted(float(limit)), callback=heard.append)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EndedEarlyWarning)
        return compressed_under(watch, forest, X, **how), heard


@pytest.mark.parametrize(
    ("name", "n_trees", "depth", "generate"),
    [
        ("breast cancer", 100, 4, True),
        ("breast cancer", 100, 6, False),
        ("wine", 300, 2, False),
        ("wine", 100, 2, True),
        ("digits", 100, 8, False),
    ],
)
def test_an_answer_is_certified_and_never_larger_and_more_work_is_never_worse(
    name: str, n_trees: int, depth: int, *, generate: bool
) -> None:
    X, y = SETS[name]
    forest = RandomForestClassifier(n_trees, max_depth=depth, random_state=0).fit(X, y)
    sizes = [n_trees]
    for limit in LIMITS:
        small, heard = under_counted_work(forest, X, limit, alpha=0.1, generate=generate)
        assert small.certificate_.faithful
        check = recheck(small, forest, n_points=2000)
        assert check.n_points > 0
        assert len(check.disagreements) == 0
        told, kept = [news.value for news in heard], [step.best for step in small.history_]
        for values in (told, kept):
            assert values == sorted(values, reverse=True)
            assert values[-1] == small.n_learners_
        assert told[0] == n_trees
        assert all(news.bound <= news.value for news in heard)
        sizes.append(small.n_learners_)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < n_trees


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_learners_that_the_margin_spares_are_spared_on_every_cell(seed: int, n_classes: int) -> None:
    forest, X = tiny_forest(n_classes, n_trees=12, seed=seed)
    setting = make_setting(forest, X, alpha=0.3)
    samples = FaithfulnessSet(setting.region, setting.samples)
    run = Compression(setting, samples, Separator(setting.grid, setting.region), Clock(None))
    cells = all_codes(setting)
    current = spared(run)
    assert 1 <= len(current.learners) < 12
    assert (current.predict(cells) == setting.region.labels(cells)).all()
    while (smaller := dropped(run, 2)) is not None:  # right on S, and smaller each time
        assert (smaller.margins(samples.codes, samples.labels) > 0).all()
        assert len(smaller.learners) < len(run.best.learners)
        run.offer(smaller)


def test_a_margin_of_nothing_spares_no_learner_that_counts() -> None:
    forest, X = tiny_forest(2)
    setting = make_setting(forest, X, alpha=0.0)
    samples = FaithfulnessSet(setting.region, setting.samples)
    run = Compression(setting, samples, Separator(setting.grid, setting.region), Clock(None))
    assert spared(run).learners == setting.initial.learners


def test_of_leaves_there_are_never_more() -> None:
    X, y = SETS["wine"]
    forest = RandomForestClassifier(30, max_depth=3, random_state=0).fit(X, y)
    small, heard = under_counted_work(forest, X, 300, alpha=0.1, objective=LEAVES, max_depth=None)
    before = sum(member.get_n_leaves() for member in forest.estimators_)
    assert heard[0].value == before
    assert small.n_leaves_ == small.history_[-1].best == heard[-1].value < before


@pytest.mark.parametrize("how", [{}, {"order": GENERATE_FIRST}, {"prune": False}, {"generate": False}])
def test_the_last_step_comes_back_only_where_that_is_asked_for(how: dict[str, Any]) -> None:
    """As far as the limit lets it come, which is not to a certificate."""
    forest, X = hard()
    with recorded():
        small = compress(forest, X, time_limit=0.3, **how)
        last = compress(forest, X, time_limit=0.3, uncertified=True, **how)
    assert small.certificate_.faithful
    assert small.n_learners_ <= 60
    assert len(recheck(small, forest, n_points=2000).disagreements) == 0
    assert not last.certificate_.faithful


@pytest.mark.parametrize("method", [compress, fipe, single_tree])
def test_a_limit_that_ends_the_work_is_told_once(method: Any) -> None:
    forest, X = hard()
    heard: list[News] = []
    with pytest.warns(EndedEarlyWarning, match=rf"^{method.__name__}: time_limit=0.3 s ") as caught:
        small = method(forest, X, time_limit=0.3, callback=heard.append)
    assert len(caught) == 1
    assert small.certificate_.faithful
    assert small.n_learners_ <= 60
    assert all(earlier.value >= later.value for earlier, later in itertools.pairwise(heard))
    with recorded():
        method(forest, X, time_limit=0.3)


def test_refitting_tells_of_its_limit_once() -> None:
    forest, X = hard()
    with recorded():
        small = compress(forest, X, generate=False, time_limit=0.1)
    with pytest.warns(
        EndedEarlyWarning, match=r"^refit: time_limit=0.1 s .* value 60, proved bound 1"
    ) as caught:
        assert refit(small, time_limit=0.1) is small
    assert len(caught) == 1


def test_lines_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    forest, X = tiny_forest()
    for method in (compress, fipe, single_tree):
        method(forest, X, verbose=True)
        assert capsys.readouterr().out.startswith(f"{method.__name__}: value ")
    refit(compress(forest, X, generate=False), verbose=True)
    assert capsys.readouterr().out.startswith("refit: value ")


def test_functions_are_ended_by_an_interrupt() -> None:
    def interrupt(_: News) -> None:
        raise KeyboardInterrupt

    forest, X = tiny_forest()
    for method in (compress, fipe, single_tree):
        with pytest.raises(KeyboardInterrupt):
            method(forest, X, callback=interrupt)


def test_equal_calls_have_equal_answers() -> None:
    forest, X = tiny_forest(3)
    calls = (
        lambda: compress(forest, X, alpha=0.05),
        lambda: fipe(forest, X),
        lambda: single_tree(forest, X),
        lambda: refit(compress(forest, X, generate=False)),
    )
    for call in calls:
        first, second = (pickle.dumps(without_seconds(call())) for _ in range(2))
        assert first == second


def without_seconds(small: CompressedEnsemble) -> CompressedEnsemble:
    small.history_ = tuple(replace(step, seconds=0.0) for step in small.history_)
    return small


def hard() -> tuple[RandomForestClassifier, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 10, (400, 12)).astype(float)
    y = (X[:, :6].sum(axis=1) + rng.normal(0, 6, 400) > 27).astype(int)
    return RandomForestClassifier(60, max_depth=4, random_state=0).fit(X, y), X


@pytest.mark.parametrize("method", [compress, fipe, single_tree])
@pytest.mark.parametrize(
    ("name", "value"), [("uncertified", "yes"), ("verbose", 1), ("callback", "print"), ("time_limit", -1)]
)
def test_bad_parameters_are_refused_by_name(method: Any, name: str, value: Any) -> None:
    forest, X = tiny_forest()
    with pytest.raises(InvalidParameterError, match=name):
        method(forest, X, **{name: value})
