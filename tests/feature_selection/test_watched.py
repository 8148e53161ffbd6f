"""What the caller sees of a run: limits that warn, news, interrupts, and equal answers of equal calls."""

import itertools
import math
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from compactml.clock import Clock
from compactml.feature_selection import (
    CFSSelector,
    MRMRSelector,
    TimeLimitTooShortError,
    selection_path,
    solve,
    verify,
)
from compactml.feature_selection.solving import METHODS
from compactml.watch import EndedEarlyWarning, recorded
from tests.feature_selection.fractional_programs import mrmr, optimum, random_program

SELECTORS = (MRMRSelector, CFSSelector)
SQUARE_ONLY = ("milp3", "value_disjunction")
RNG = np.random.default_rng(7)
X, Y = RNG.integers(3, size=(60, 9)), RNG.integers(2, size=60)
HARD = RNG.integers(3, size=(40, 150))
HARD_CLASSES = RNG.integers(2, size=40)

INTERRUPTED = """
import warnings
import numpy as np
from compactml.feature_selection import CFSSelector
from compactml.watch import EndedEarlyWarning

rng = np.random.default_rng(7)
X, y = rng.integers(3, size=(40, 1200)), rng.integers(2, size=40)
selector = CFSSelector(30, gap_rel=0.0, gap_abs=0.0, time_limit=None, callback=lambda news: print("news", flush=True))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    selector.fit(X, y)
result = selector.result_
assert not result.proved and result.certificate is None and result.value <= result.bound
assert result.value == selector.program_.value(result.support) and selector.transform(X).shape == (40, 30)
print([str(one.message) for one in caught if one.category is EndedEarlyWarning], flush=True)
"""


@pytest.mark.parametrize("method", METHODS)
def test_news_end_with_the_answer_and_their_bounds_hold(method):
    program, heard = random_program("mrmr", 2, 6), []
    best = optimum(program)
    result = solve(program, method=method, gap_rel=0.0, gap_abs=1e-6, callback=heard.append)
    assert all(news.value <= best + 1e-9 and news.bound >= best - 1e-7 for news in heard)
    assert (heard[-1].value, heard[-1].bound) == (result.value, result.bound)
    assert [news.seconds for news in heard] == sorted(news.seconds for news in heard)


@pytest.mark.parametrize("method", [method for method in METHODS if method not in SQUARE_ONLY])
def test_news_are_in_the_units_of_the_program(method):
    """Tiny coefficients are scaled before the solver sees them."""
    base, heard = random_program("general", 2, 5), []
    program = type(base)(1e-9 * base.a, 1e-9 * base.b, base.c, base.d)
    result = solve(program, method=method, gap_rel=1e-4, gap_abs=0.0, callback=heard.append)
    assert heard[-1].value == pytest.approx(result.value, rel=1e-6)
    assert 0 < heard[-1].value < 1e-6


def test_a_verbose_run_prints_a_line_for_each_news(capsys):
    heard = []
    solve(random_program("cfs", 2, 9), verbose=True, callback=heard.append)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(heard) > 1
    assert all(line.startswith("solve: value ") for line in lines)
    solve(random_program("cfs", 2, 9))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("method", ["certified", "newton", "milp2"])
def test_a_limit_warns_once_with_value_and_bound(selector, method):
    with pytest.warns(EndedEarlyWarning, match=f"{selector.__name__}: time_limit=0.02 s") as caught:
        fitted = selector(
            30, method=method, solver="auto" if method == "certified" else "highs", gap_rel=0.0, gap_abs=0.0,
            time_limit=0.02,
        ).fit(HARD, HARD_CLASSES)  # fmt: skip
    assert len(caught) == 1
    assert f"value {fitted.result_.value:g}, proved bound {fitted.result_.bound:g}" in str(caught[0].message)
    assert fitted.get_support().sum() == 30
    assert fitted.result_.value == fitted.program_.value(fitted.result_.support)
    assert not fitted.result_.proved


@pytest.mark.parametrize("method", METHODS)
def test_what_is_proved_does_not_warn(method):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert solve(random_program("mrmr", 1, 5), method=method, time_limit=60.0, work_limit=60.0).proved
        assert not solve(random_program("mrmr", 3, 8), gap_rel=0.0, gap_abs=0.0).gap_rel > 1e-9


def test_a_trial_that_is_recorded_does_not_warn():
    with recorded(), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert solve(mrmr(*_pair()), time_limit=0).bound == math.inf


def _pair():
    return np.array([0.5, 0.4]), np.array([[0.6, 0.1], [0.1, 0.7]])


class TestInterrupts:
    @pytest.mark.parametrize("selector", SELECTORS)
    @pytest.mark.parametrize("method", ["certified", "binary_search"])
    def test_the_best_so_far_is_selected(self, selector, method):
        def interrupt(news):
            raise KeyboardInterrupt

        with pytest.warns(EndedEarlyWarning, match="an interrupt ended the work"):
            fitted = selector(4, method=method, gap_abs=0.0, gap_rel=0.0, callback=interrupt).fit(X, Y)
        assert fitted.get_support().sum() == 4
        assert fitted.result_.value == fitted.program_.value(fitted.result_.support)
        assert fitted.result_.value <= optimum(fitted.program_, 4) + 1e-12 <= fitted.result_.bound + 1e-7

    def test_a_function_and_a_trial_raise_it_again(self):
        def interrupt(news):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            solve(random_program("cfs", 2, 9), callback=interrupt)
        with pytest.raises(KeyboardInterrupt), recorded():
            CFSSelector(4, callback=interrupt).fit(X, Y)

    def test_ctrl_c_on_a_hard_instance(self):
        process = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout.readline() == "news\n", process.stderr.read()
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGINT)
        printed, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
        assert "CFSSelector: an interrupt ended the work" in printed
        assert printed.count("ended the work") == 1

    @pytest.mark.parametrize("selector", SELECTORS)
    def test_ctrl_c_while_the_answer_is_written_down_does_not_lose_it(self, selector, monkeypatch):
        expected, order, heard = selector(4).fit(X, Y), selector._order, []

        def interrupted_once(*given):
            heard.append(given)
            if len(heard) == 1:
                raise KeyboardInterrupt
            return order(*given)

        monkeypatch.setattr(selector, "_order", interrupted_once)
        fitted = selector(4).fit(X, Y)  # proved before, so there is nothing to warn of
        assert len(heard) == 2
        assert fitted.ranking_.tolist() == expected.ranking_.tolist()
        heard.clear()
        with pytest.raises(KeyboardInterrupt), recorded():
            selector(4).fit(X, Y)


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("method", ["greedy", *METHODS])
def test_equal_fits_have_equal_pickles(selector, method):
    if selector is CFSSelector and method in SQUARE_ONLY:
        pytest.skip("a model of mRMR")
    paper = {"count_own_entropy": True} if method in SQUARE_ONLY else {}
    first, again = (_blank(selector(method=method, **paper).fit(X[:, :5], Y)) for _ in range(2))
    assert pickle.dumps(first) == pickle.dumps(again)


def _blank(estimator):
    """Blank the fields named ``seconds`` of what a fit left."""
    blanked = 0
    for one in vars(estimator).values():
        if is_dataclass(one) and "seconds" in {field.name for field in fields(one)}:
            object.__setattr__(one, "seconds", 0.0)
            blanked += 1
    assert blanked == 1
    return estimator


@pytest.mark.parametrize("selector", SELECTORS)
def test_the_limit_counts_from_the_start_of_the_fit(selector):
    """With no time left after the measures, the set is the one that is known without a search."""
    with pytest.warns(EndedEarlyWarning, match="proved bound inf"):
        fitted = selector(3, time_limit=1e-9).fit(X, Y)
    assert fitted.get_support().sum() == 3
    assert fitted.result_.bound == math.inf


@pytest.mark.parametrize("selector", SELECTORS)
def test_what_a_limit_ended_is_no_worse_than_forward_selection(selector):
    """The two columns that are best alone say the same; forward selection takes another one beside the first."""
    rng = np.random.default_rng(0)
    first, second = rng.integers(2, size=(2, 400))
    X = np.column_stack([first, first, second])
    y = 2 * first + np.where(rng.random(400) < 0.1, 1 - second, second)
    greedy = selector(2, method="greedy").fit(X, y)
    assert greedy.get_support().tolist() == [True, False, True]
    with pytest.warns(EndedEarlyWarning):
        fitted = selector(2, time_limit=1e-9).fit(X, y)
    assert fitted.result_.value >= greedy.result_.value
    assert not fitted.result_.proved


def test_a_proof_under_a_limit_verifies():
    fitted = CFSSelector(3, time_limit=30.0).fit(X, Y)
    assert verify(fitted.program_, fitted.result_.certificate) == fitted.result_.bound


class TestMeasuresThatTakeTooLong:
    """A clock that is a tenth of a second later at each look: 40 columns take 3.9 seconds."""

    @pytest.fixture(autouse=True)
    def _ticking(self, monkeypatch):
        ticks = itertools.count()
        monkeypatch.setattr(Clock, "seconds", property(lambda clock: 0.1 * next(ticks)))

    @pytest.mark.parametrize("fit", [
        lambda limit: CFSSelector(3, time_limit=limit).fit(HARD[:, :40], HARD_CLASSES),
        lambda limit: MRMRSelector("cv", time_limit=limit).fit(HARD[:, :40], HARD_CLASSES),
        lambda limit: selection_path(CFSSelector(time_limit=limit), HARD[:, :40], HARD_CLASSES),
    ])  # fmt: skip
    def test_the_limit_is_named_with_what_was_done(self, fit):
        with pytest.raises(
            TimeLimitTooShortError, match=r"time_limit: .* 40 columns of 40 rows .* got 1\.0"
        ) as said:
            fit(1.0)
        assert 1.5 < said.value.seconds < 2
        assert 0 < said.value.share < 1

    def test_measures_that_end_soon_after_the_limit_give_a_set(self):
        with pytest.warns(EndedEarlyWarning, match="time_limit=3.5 s"):
            assert CFSSelector(3, time_limit=3.5).fit(HARD[:, :40], HARD_CLASSES).k_ == 3
        assert CFSSelector(3, time_limit=None).fit(HARD[:, :5], HARD_CLASSES).result_.proved
