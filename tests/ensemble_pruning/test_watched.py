"""What the caller sees of each function that takes a limit: news that are true, one warning, Ctrl-C."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from compactml.ensemble_pruning import (
    PruningInstance,
    asummability_bound,
    backfitting,
    branching_bound,
    full_ensemble,
    hill_climbing,
    kappa_pruning,
    local_search,
    prune,
)
from compactml.errors import InvalidParameterError
from compactml.watch import EndedEarlyWarning, News
from tests.ensemble_pruning.tiny_ensembles import optimum, random_votes


def searched(votes: Any, y: Any, **options: Any) -> Any:
    return local_search(PruningInstance.from_votes(votes, y), moves=20_000, **options)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "prune": prune,
    "local_search": searched,
    "branching_bound": branching_bound,
    "asummability_bound": asummability_bound,
    "backfitting": backfitting,
    "kappa_pruning": kappa_pruning,
    "hill_climbing": partial(hill_climbing, fitness="accuracy"),
    "full_ensemble": full_ensemble,
}
EVERY = pytest.mark.parametrize("name", FUNCTIONS)


@EVERY
def test_news_are_on_both_sides_of_the_optimum(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    votes, y = random_votes(3, 60, 7)
    best = float(optimum(votes, y, "accuracy")[0])
    unit = 1 if name in ("prune", "local_search") or name.endswith("bound") else 1 / 60
    heard: list[News] = []
    FUNCTIONS[name](votes, y, verbose=True, callback=heard.append)
    assert heard
    assert all(news.value <= best * unit + 1e-9 <= news.bound + 1e-6 for news in heard)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(heard)
    assert all(line.startswith(f"{name}: value ") for line in lines)


def test_what_is_proved_gives_no_warning_and_ends_with_gap_0() -> None:
    votes, y = random_votes(3, 60, 7)
    heard: list[News] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = prune(votes, y, callback=heard.append)
    assert (heard[-1].value, heard[-1].bound, heard[-1].gap) == (result.value, result.bound, 0)
    assert result.complete


def test_a_limit_gives_one_warning_with_what_was_reached() -> None:
    votes, y = random_votes(5, 600, 30)
    with pytest.warns(EndedEarlyWarning) as said:
        result = prune(votes, y, time_limit=0.0)
    assert not result.complete
    reached = f"prune: time_limit=0 s .* value {result.value:g}, proved bound {result.bound:g}, gap "
    assert len(said) == 1
    assert said[0].filename == __file__
    with pytest.warns(EndedEarlyWarning, match=reached):
        prune(votes, y, time_limit=0.0)


@EVERY
def test_an_interrupt_ends_a_function(name: str) -> None:
    def interrupt(news: News) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        FUNCTIONS[name](*random_votes(3, 60, 7), callback=interrupt)


@EVERY
@pytest.mark.parametrize("change", [{"time_limit": -1}, {"verbose": 1}, {"callback": 5}], ids=str)
def test_bad_parameters(name: str, change: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameterError, match=next(iter(change))):
        FUNCTIONS[name](*random_votes(3, 60, 7), **change)
