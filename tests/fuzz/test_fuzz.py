"""The suite of hostile inputs, without those that `make fuzz` adds; and what is always tested of it."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from compactml.errors import InvalidParameterError
from tests.fuzz.calling import Target, called, drawn
from tests.fuzz.running import fuzzed
from tests.fuzz.same import same
from tests.fuzz.targets import NOTHING_TO_CALL, PACKAGES, targets_of

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

    assert endings_of(lambda values: values + 1) == "result"
    assert endings_of(refuses) == "refused"
    assert endings_of(lambda other: other) == "refused"  # another signature
    assert endings_of(changes) == "an argument was changed"
    assert endings_of(lambda values: next(calls)) == "two calls differ"
    assert endings_of(lambda values: values[7]) == "IndexError"
    assert endings_of(lambda values: np.empty(2**50)) == "MemoryError"
