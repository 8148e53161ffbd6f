from __future__ import annotations

import math
from decimal import Decimal

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.study.judging.comparison import compare, compare_means, printed_decimals, same_digits

NEAR, OPEN = "within the standard errors", "inconclusive: the standard error is large"
NUMBERS = st.floats(min_value=-1e9, max_value=1e9, allow_nan=False)


@pytest.mark.parametrize(
    ("text", "decimals"), [("0.074003", 6), ("103.8", 1), ("1.0000", 4), ("7", 0), ("1e-3", 3), ("12e3", -3)]
)
def test_decimals_that_are_printed(text: str, decimals: int) -> None:
    assert printed_decimals(text) == decimals


@pytest.mark.parametrize("text", ["", "n/a", "nan", "inf", "1,5", "12 %"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameterError, match="printed: must be the text of a finite number"):
        printed_decimals(text)


@given(NUMBERS, st.integers(0, 6))
def test_a_number_has_the_digits_that_it_is_printed_with(value: float, decimals: int) -> None:
    assert same_digits(value, f"{value:.{decimals}f}")


@given(st.integers(-(10**9), 10**9), st.integers(0, 6), st.sampled_from([-1, 1]))
def test_half_a_unit_is_the_limit(digits: int, decimals: int, sign: int) -> None:
    printed = f"{Decimal(digits).scaleb(-decimals):f}"
    unit = Decimal(sign).scaleb(-decimals)
    assert same_digits(float(Decimal(printed) + unit / 2), printed)
    assert not same_digits(float(Decimal(printed) + unit * Decimal("0.501")), printed)


def test_not_a_number_has_no_digits() -> None:
    assert not same_digits(math.nan, "0")


def frame(values: dict[tuple[str, str], object]) -> pd.DataFrame:
    rows = [
        {"dataset": dataset, "measure": measure, "value": value}
        for (dataset, measure), value in values.items()
    ]
    return pd.DataFrame(rows)


PUBLISHED = frame(
    {("a", "x"): "0.50", ("a", "y"): "7", ("b", "x"): "0.10", ("c", "x"): "1.0", ("a", "t"): "word"}
)


def test_build_is_judged_and_else_the_record() -> None:
    recorded = frame({("a", "x"): 0.9, ("a", "y"): 7.6, ("z", "z"): 1.0})
    build = frame({("a", "x"): 0.501, ("a", "t"): "word"})
    found = compare(PUBLISHED, recorded, build, ["dataset", "measure"], not_at_hand=["b"])
    assert found["verdict"].to_list() == ["every digit", "differs", "not at hand", "not run", "every digit"]
    assert found["published"].to_list() == PUBLISHED["value"].to_list()
    assert found["difference"].to_list()[:2] == pytest.approx([0.001, 0.6])
    assert found["difference"][2:].isna().all()


def test_without_any_run() -> None:
    found = compare(PUBLISHED, None, None, ["dataset", "measure"])
    assert set(found["verdict"]) == {"not run"}
    assert found[["recorded", "this_build"]].isna().all(axis=None)


def test_unclear_frames_are_refused() -> None:
    twice = pd.concat([PUBLISHED, PUBLISHED.head(1)])
    with pytest.raises(InvalidDataError, match="published: must be a frame that names every cell once"):
        compare(twice, None, None, ["dataset", "measure"])
    with pytest.raises(InvalidDataError, match=r"this_build: .*without \['value'\]"):
        compare(PUBLISHED, None, PUBLISHED.drop(columns="value"), ["dataset", "measure"])


def means(**cells: tuple[object, float]) -> pd.DataFrame:
    rows = [{"dataset": name, "value": value, "std_error": error} for name, (value, error) in cells.items()]
    return pd.DataFrame(rows)


def test_means_agree_within_two_standard_errors_of_their_difference() -> None:
    printed = means(a=("80.0", 0.3), b=("80.0", 0.3), c=("80.0", 0.3), d=("80.0", 0.3), e=("80.0", 0.3))
    build = means(
        a=(80.99, 0.4), b=(81.01, 0.4), c=(80.04, 0.0), d=(99.0, math.nan)
    )  # 2 sqrt(.09 + .16) = 1; a single fold (d) has no error and decides nothing
    found = compare_means(printed, None, build, ["dataset"])
    assert found["verdict"].to_list() == [NEAR, "differs", "every digit", OPEN, "not run"]
    assert found["tolerance"].to_list() == pytest.approx([1.0, 1.0, 0.6, math.inf, math.inf])


def test_a_value_agrees_only_if_its_error_is_small() -> None:
    printed = means(a=("80.0", 0.0), b=("80.0", 0.0), c=("80.0", 0.0), d=("80.0", 0.0), e=("0.0", 0.0))
    build = means(a=(81.0, 1.0), b=(81.0, 1.1), c=(80.0, 1.1), d=(83.0, 1.1), e=(0.0, 0.0))
    accuracies = compare_means(printed, None, build, ["dataset"], point=1.0)
    assert accuracies["verdict"].to_list() == [NEAR, OPEN, OPEN, "differs", "every digit"]
    # a tenth of 80 is 8
    others = compare_means(printed, None, build.assign(std_error=[8.0, 8.1, 8.0, 1.1, 0.0]), ["dataset"])
    assert others["verdict"].to_list() == [NEAR, OPEN, "every digit", "differs", "every digit"]
    shares = compare_means(means(a=("0.80", 0.0)), None, means(a=(0.81, 0.011)), ["dataset"], point=0.01)
    assert shares["verdict"].to_list() == [OPEN]


def test_errors_are_those_of_the_value_that_is_judged() -> None:
    printed, kept = means(a=("80.0", 0.0), b=("80.0", 0.0)), means(a=(85.0, 3.0), b=(85.0, 3.0))
    found = compare_means(printed, kept, means(a=(85.0, 1.0)), ["dataset"])
    assert found["verdict"].to_list() == ["differs", NEAR]


def test_means_without_their_errors_are_refused() -> None:
    printed = means(a=("80.0", 0.3))
    with pytest.raises(InvalidDataError, match=r"this_build: .*'std_error'"):
        compare_means(printed, None, printed.drop(columns="std_error"), ["dataset"])
