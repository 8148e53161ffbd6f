"""The suite of hostile inputs, without those that `make fuzz` adds; and what is always tested of it."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import numpy as np
import pytest

import compactml
from compactml.errors import InvalidDataError, InvalidParameterError, RefusedDataError
from tests.fuzz.calling import Target, called, drawn
from tests.fuzz.running import fuzzed
from tests.fuzz.same import same
from tests.fuzz.targets import NOT_PUBLIC, NOTHING_TO_CALL, PACKAGES, targets_of

INPUTS = 35
"""Of each target: above 5,000 in all."""


def public_names(package: str) -> set[str]:
    """Names of a package's face but for errors and warnings, which only the library makes."""
    face = import_module(f"compactml.{package}")
    listed = {name: getattr(face, name) for name in face.__all__}
    return {
        f"{package}.{name}"
        for name, value in listed.items()
        if not (isinstance(value, type) and issubclass(value, Exception))
    }


@pytest.mark.fuzz
@pytest.mark.parametrize("package", PACKAGES)
def test_every_input_ends_in_a_result_or_in_a_refusal_by_name(package: str) -> None:
    found = fuzzed(package, INPUTS)
    assert not found.wrong, "\n".join(f"{name} input {index}: {text}" for name, index, text in found.wrong)
    assert set(found.inputs) == {target.name for target in targets_of(package)}
    assert min(found.inputs.values()) >= 20


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_called_or_there_is_nothing_to_call(package: str) -> None:
    called_names = [target.name for target in targets_of(package)]
    assert len(set(called_names)) == len(called_names)
    named = {name for name in NOTHING_TO_CALL if name.rpartition(".")[0] == package}
    assert not named & set(called_names)
    assert set(called_names) | named == public_names(package)


def test_no_package_with_a_face_is_forgotten() -> None:
    """A room's face names only what the package's own face names too."""
    packages = [
        one.name.removeprefix("compactml.")
        for one in pkgutil.walk_packages(compactml.__path__, "compactml.")
        if one.ispkg and not one.name.startswith("compactml.chapters.")
    ]
    faces = {one: set(getattr(import_module(f"compactml.{one}"), "__all__", ())) for one in packages}
    assert not set(PACKAGES) & set(NOT_PUBLIC)
    assert set(PACKAGES) | set(NOT_PUBLIC) == {
        name for name, face in faces.items() if face - faces.get(name.rpartition(".")[0], set())
    }


def test_what_is_not_public_says_so() -> None:
    assert "no public interface" in str(import_module("compactml.tutorials").__doc__)


def test_the_suite_has_five_thousand_inputs() -> None:
    assert INPUTS * sum(len(targets_of(package)) for package in PACKAGES) >= 5_000


def test_the_same_input_is_drawn_again_and_others_are_others() -> None:
    (target,) = (one for one in targets_of("forests") if one.name == "forests.average_path_length")
    inputs = [drawn(target, index) for index in range(20)]
    assert all(same(one, drawn(target, index)) for index, one in enumerate(inputs))
    assert not all(same(one, drawn(target, index, seed=1)) for index, one in enumerate(inputs))


def endings_of(call: object) -> str:
    target = Target("toy", call, lambda rng: {})  # type: ignore[arg-type]
    return called(target, {"values": np.zeros(3)}).kind


def test_each_kind_of_ending_is_told_apart() -> None:
    calls = iter(range(9))

    def changes(values: np.ndarray) -> None:
        values[0] += 1

    def refuses(values: np.ndarray) -> None:
        raise InvalidParameterError("values", "others", values)

    def raises(error: Exception) -> object:
        def call(values: np.ndarray) -> None:
            raise error

        return call

    ragged = "setting an array element with a sequence. The requested array has an inhomogeneous shape"
    assert endings_of(raises(InvalidDataError("values[0]", "numbers", "None"))) == "refused"
    assert endings_of(raises(InvalidDataError("column 'a'", "numbers", "None"))) == "refused"
    assert endings_of(raises(InvalidDataError("", "numbers", "None"))) == "names no argument"
    assert endings_of(raises(InvalidDataError("data", "numbers", "None"))) == "names no argument of the call"
    assert endings_of(raises(RefusedDataError("Expected 2D array"))) == "names no argument"
    assert endings_of(raises(RefusedDataError(ragged))) == "names no argument"
    assert endings_of(raises(InvalidParameterError("values", "numbers", ragged))) == "words of NumPy"
    assert endings_of(lambda values: values + 1) == "result"
    assert endings_of(refuses) == "refused"
    assert endings_of(lambda other: other) == "refused"  # another signature
    assert endings_of(changes) == "an argument was changed"
    assert endings_of(lambda values: next(calls)) == "two calls differ"
    assert endings_of(lambda values: values[7]) == "IndexError"
    assert endings_of(lambda values: np.empty(2**50)) == "MemoryError"
