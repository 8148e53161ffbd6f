from __future__ import annotations

import json
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compactml.errors import CompactmlError, InvalidParameterError
from compactml.study import (
    InvalidResult,
    SchedulerError,
    StoreError,
    Trial,
    TrialsFailed,
    UnknownChapter,
    UnknownTable,
)
from compactml.study.trial import checked_result

SCALARS = st.one_of(
    st.text(), st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False)
)


@given(st.dictionaries(st.text(), SCALARS), st.randoms())
def test_order_of_parameters_does_not_matter(parameters: dict[str, Any], random: Any) -> None:
    shuffled = list(parameters.items())
    random.shuffle(shuffled)
    one = Trial("c", "k", "d", parameters=tuple(parameters.items()))
    other = Trial("c", "k", "d", parameters=tuple(shuffled))
    assert one == other
    assert hash(one) == hash(other)
    assert one.canonical() == other.canonical()
    assert json.loads(one.canonical())["parameters"] == parameters


def test_every_field_enters_the_canonical_form() -> None:
    base = {"chapter": "c", "kind": "k", "dataset": "d"}
    changes: list[dict[str, Any]] = [
        {}, {"chapter": "x"}, {"kind": "x"}, {"dataset": "x"}, {"method": "x"}, {"fold": 0}, {"seed": 1},
        {"parameters": (("a", 1),)}, {"time_limit": 1.0},
    ]  # fmt: skip
    assert len({Trial(**(base | change)).canonical() for change in changes}) == len(changes)


def test_numbers_of_numpy_are_plain_ones() -> None:
    numpy = Trial("c", "k", "d", fold=np.int8(2), seed=np.uint32(7), time_limit=np.float32(0.5))
    assert numpy.canonical() == Trial("c", "k", "d", fold=2, seed=7, time_limit=0.5).canonical()
    assert '"time_limit":60}' in Trial("c", "k", "d", time_limit=60).canonical()  # as in recorded keys


def test_trial_survives_pickling() -> None:
    trial = Trial("c", "k", "d", fold=2, parameters=(("b", 1), ("a", "x")))
    assert pickle.loads(pickle.dumps(trial)) == trial
    assert trial.label() == "k d fold 2 a=x b=1"


@pytest.mark.parametrize(
    "parameters", [(("a", 1), ("a", 2)), (("a", math.nan),), (("a", math.inf),), (("a", [1]),)]
)
def test_bad_parameters_are_refused(parameters: Any) -> None:
    with pytest.raises(InvalidParameterError, match="parameter"):
        Trial("c", "k", "d", parameters=parameters)


def test_result_becomes_plain_and_survives_json() -> None:
    given_values = {"i": np.int64(3), "f": np.float32(0.5), "b": True, "t": "x", "n": None, "nan": np.nan}
    result = checked_result(given_values)
    assert result == {"i": 3, "f": 0.5, "b": 1, "t": "x", "n": None, "nan": None}
    assert all(type(value) in (int, float, str, type(None)) for value in result.values())
    assert json.loads(json.dumps(result, allow_nan=False)) == result


@pytest.mark.parametrize("bad", [{"a": [1]}, {"a": math.inf}, {"a": np.zeros(2)}, {1: 2}, [("a", 1)], None])
def test_other_results_are_refused(bad: Any) -> None:
    with pytest.raises(InvalidResult, match="must be a finite number"):
        checked_result(bad)


@pytest.mark.parametrize(
    ("error", "standard", "named"),
    [
        (UnknownChapter("x", ["y"]), LookupError, "y"),
        (UnknownTable("c", "table_9", ["table_1"]), LookupError, "table_1"),
        (InvalidResult("a", "[]"), TypeError, "'a'"),
        (StoreError("f.sqlite", "why"), OSError, "f.sqlite"),
        (SchedulerError("tcp://h", "why"), ConnectionError, "tcp://h"),
        (TrialsFailed([("label", "ValueError: why")], 2), RuntimeError, "label: ValueError: why"),
    ],
)
def test_errors_are_standard_types_and_pickle(error: CompactmlError, standard: type, named: str) -> None:
    assert isinstance(error, CompactmlError)
    assert isinstance(error, standard)
    assert named in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
