"""What all tests share: the same commit is tested on the same examples, `--quick` leaves most cases out."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from hypothesis import settings

from tests.quick import chosen

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as a trial has; on short vectors several only wait
# A landing must not depend on the draw; `pytest --hypothesis-profile=default` draws new examples.
settings.register_profile("fixed", derandomize=True)
settings.load_profile("fixed")
EXACT_TREES = find_spec("pystreed") is not None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run be quick, or take the fuzz suite too."""
    parser.addoption(
        "--quick", action="store_true", help="the first case of each test, all claims, nothing slow"
    )
    parser.addoption("--fuzz", action="store_true", help="the suite of hostile inputs too: four minutes")


def pytest_configure(config: pytest.Config) -> None:
    """Without pystreed, `refit` says so each time: that is a warning of its own test only."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in a shell's background
        signal.signal(signal.SIGINT, signal.default_int_handler)  # so that Ctrl-C reaches what tests start
    if not EXACT_TREES:
        config.addinivalue_line("filterwarnings", "ignore:refit. pystreed is not installed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what a quick run does without, and skip what a package is missing for."""
    for item in items:
        if not EXACT_TREES and item.get_closest_marker("exact_trees"):
            item.add_marker(pytest.mark.skip("needs pystreed, which has no wheel for this Python"))
    if not config.getoption("--fuzz"):
        left = [item for item in items if item.get_closest_marker("fuzz")]
        items[:] = [item for item in items if not item.get_closest_marker("fuzz")]
        config.hook.pytest_deselected(items=left)
    if config.getoption("--quick"):
        items[:], left = chosen(items)
        config.hook.pytest_deselected(items=left)


@pytest.fixture(autouse=True)
def level() -> Iterator[None]:
    """Keep what a page or a command sets of the package's log to its test."""
    logger = logging.getLogger("compactml")
    before = logger.level
    yield
    if logger.level != before:
        logger.setLevel(before)


@pytest.fixture(autouse=True)
def environment() -> Iterator[None]:
    """Refuse a test that leaves the others another environment, such as other data, by an import even."""
    before = of_compactml()
    yield
    assert of_compactml() == before


def of_compactml() -> dict[str, str]:
    """Return the environment variables that the library reads."""
    return {name: value for name, value in os.environ.items() if name.startswith("COMPACTML_")}
