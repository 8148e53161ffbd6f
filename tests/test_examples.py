"""The public classes have examples, and every example of a public name does what it says."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from importlib import import_module

import pytest

PACKAGES = (
    "solvers", "datasets", "forests", "condition_sharing", "boolean_rules", "feature_selection", "ensemble_pruning",
    "pace", "study",
)  # fmt: skip
"""Those that have a page of the reference."""


def public() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for name in import_module(f"compactml.{package}").__all__:
            yield package, name


def is_class(package: str, name: str) -> bool:
    found = getattr(import_module(f"compactml.{package}"), name)
    return inspect.isclass(found) and not issubclass(found, BaseException)


def examples(package: str, name: str) -> list[doctest.DocTest]:
    found = getattr(import_module(f"compactml.{package}"), name)
    if not callable(found):
        return []
    return [test for test in doctest.DocTestFinder().find(found, name, globs={}) if test.examples]


CLASSES = [one for one in public() if is_class(*one)]
WITH_EXAMPLES = [one for one in public() if examples(*one)]


@pytest.mark.parametrize(("package", "name"), CLASSES)
def test_every_public_class_has_an_example(package: str, name: str) -> None:
    assert examples(package, name)


@pytest.mark.parametrize(("package", "name"), WITH_EXAMPLES)
def test_examples_run_as_they_stand(package: str, name: str) -> None:
    """With nothing but what the package's face offers: an example imports the rest itself."""
    face = import_module(f"compactml.{package}")
    for test in examples(package, name):
        test.globs = {public_name: getattr(face, public_name) for public_name in face.__all__}
        said: list[str] = []
        failed = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
        assert not failed.failed, "".join(said)
