"""What the claims of the chapter share: how tables are read, what is doubtful, and what counts as covered.

Every check takes the recorded tables as a mapping. The paper runs ten folds with 120 or 300 s for a fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.datasets import LARGE, PARTITION
from compactml.chapters.boolean_rules.trials.paper import OURS, RULE_METHODS
from compactml.study.judging.noise import Lead, Outcome, every, within_two_errors
from compactml.study.recording.published import published

Tables = Mapping[str, pd.DataFrame]

TRADE_OFF_RIVALS = tuple(method for method in RULE_METHODS if method != OURS)
HEART, TIC_TAC_TOE, TRANSFUSION = "heart", "tic-tac-toe", "transfusion"
MEDIUM_OR_LARGE = tuple(name for name, part in PARTITION.items() if part == LARGE and name != "mushroom")
"""Datasets that section 3 does not call small; mushroom stands in the lower part of the tables and is small there."""
AGAINST_RIPPER = ("ionosphere", "liver", TIC_TAC_TOE)
SIMPLER = ("bank-mkt", "magic", "FICO")
ALIKE = ("gas", "musk")
"""Datasets whose printed lengths of CG are the same, so that one is most likely the other's."""

ERRORS = "2 standard errors of the difference"
OTHER_FOLDS = "ours: folds, time limits and machine differ from the paper's"
PROSE = "the prose"
DIGITS = "the digits printed"
WORDS = "ours: the paper gives no number"
PROVED = "both are exact"
GAME = "the game"
MORE_WINS = "more wins than losses, beyond two standard errors"
SIMPLER_BY = "more than 2 standard errors of the difference simpler"
MUCH_SIMPLER = f"{SIMPLER_BY}, at most 1 point less accurate"

ORDER = "an order beyond two standard errors"
RULE = "the rule of the book for what chance may decide"


def stated(name: str) -> float:
    """A number that the paper's text gives."""
    numbers = published(NAME, "statements").set_index("statement")["value"]
    return float(numbers[name])


def printed_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Without our other readings of a printed row."""
    return frame[frame["dataset"].isin(list(PARTITION))]


def shorter_and_near(shorter: Lead, accuracy: Lead) -> tuple[Outcome, str]:
    """Whether CG's rules are shorter than RIPPER's, at most a point less accurate, and the numbers as a text.

    ``shorter`` is the lead in logarithms of one more than the complexities, ``accuracy`` that of CG in points.
    """
    near = accuracy.above(-stated("cg_below_ripper_at_most"))
    text = (
        f"RIPPER's rules are {np.exp(shorter.mean):.1f} times as long over {shorter.blocks} datasets (logarithm "
        f"{shorter.shown(2)}); CG's accuracy {accuracy.shown(1)}"
    )
    return every([shorter.outcome, near]), text


def of_method(frame: pd.DataFrame, *methods: str) -> pd.DataFrame:
    """The rows of some methods on the paper's datasets."""
    return printed_names(frame[frame["method"].isin(methods)])


def beside(frame: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Two methods side by side, for the printed datasets that have both: values, and the error of their difference."""
    chosen = of_method(frame, first, second)
    values = chosen.pivot_table(index="dataset", columns="method", values="value")
    errors = chosen.pivot_table(index="dataset", columns="method", values="std_error", dropna=False)
    wide = values.reindex(columns=[first, second]).dropna()
    both = errors.reindex(index=wide.index, columns=[first, second]).fillna(0.0)
    return wide.assign(error=np.hypot(both[first], both[second]))


def within_printed_errors(datasets: Iterable[str]) -> list[str]:
    """Datasets on which the printed accuracies of CG and RIPPER differ by two of their errors at most."""
    cells = {name: (printed_cell(name, "CG"), printed_cell(name, "RIPPER")) for name in datasets}
    return [
        name
        for name, ((first, error), (second, other)) in cells.items()
        if within_two_errors(first - second, np.hypot(error, other))
    ]


def wins(both: pd.DataFrame) -> tuple[int, int, int]:
    """Wins, ties and losses of the first method, at the printed digits."""
    difference = both.iloc[:, 0].round(1) - both.iloc[:, 1].round(1)
    return (
        int((difference > 0.05).sum()),
        int((difference.abs() <= 0.05).sum()),
        int((difference < -0.05).sum()),
    )


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as plain mappings."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def by(frame: pd.DataFrame, column: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by the value of a column."""
    return {str(row[column]): row for row in records(frame)}


def optimum(tables: Tables, dataset: str, complexity: float) -> dict[str, Any] | None:
    """The row of a dataset and bound C, if there is one."""
    rows = records(tables["optima"])
    return next((row for row in rows if (row["dataset"], row["C"]) == (dataset, complexity)), None)


def printed_cell(dataset: str, method: str) -> tuple[float, float]:
    """Mean and standard error of a cell of Table 1."""
    cells = records(published(NAME, "table_1"))
    row = next(one for one in cells if (one["dataset"], one["method"]) == (dataset, method))
    return float(row["value"]), float(row["std_error"])
