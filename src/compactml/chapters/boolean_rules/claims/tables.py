"""Claims on Tables 1 and 2."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import partial
from math import erfc, sqrt
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import ERRORS, OTHER_FOLDS, Tables, of_method
from compactml.chapters.boolean_rules.claims.programs import (
    INFERRED_SETTINGS,
    LESS,
    NO_PROGRAM,
    NOT_RUN,
    SHARES,
    awaited,
    beside_print,
    coverage,
    reading_of,
)
from compactml.chapters.boolean_rules.datasets import PARTITION
from compactml.chapters.boolean_rules.methods import PROGRAM_OF, WITHOUT_PROGRAM
from compactml.chapters.boolean_rules.trials.paper import METHODS
from compactml.study.judging.beside import unjudged
from compactml.study.judging.comparison import AGREEING, Agreement
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, lacking
from compactml.study.judging.noise import CHANCE, Outcome
from compactml.study.recording.published import published

claim = partial(claim, NAME)

METHOD_NAMES = {
    "CG": "column generation (CG)", "BRS": "Bayesian rule sets (BRS)", "AM": "alternating minimisation (AM)",
    "BCD": "block coordinate descent (BCD)", "RIPPER": "RIPPER", "CART": "classification trees (CART)",
    "RF": "random forests",
}  # fmt: skip
MEASURES = {
    "table_1": ("Table 1", "Test accuracies", METHODS),
    "table_2": ("Table 2", "Complexities", METHODS[:-1]),
}
UNCHOSEN = {"BRS": "with kappa = 1", "RIPPER": "with its default settings"}
"""Methods of which the paper chose nothing by cross-validation."""
PRINTED_CELLS = {
    f"{table}-{method}": {
        "table": table,
        "place": place,
        "measure": measure,
        "method": method,
        "who": METHOD_NAMES[method],
        "how": UNCHOSEN.get(method, "chosen by cross-validation"),
    }
    for table, (place, measure, methods) in MEASURES.items()
    for method in methods
}
INFERRED = {"CG": f"{LESS}; the paper gives no values of C", **INFERRED_SETTINGS}
"""What we had to infer of a method, or could not give it."""
INFERRED_FROM = {("table_2", "CART")}
"""Columns that a setting was inferred from."""
OF_OUR_GRID = {("table_2", "CG")}
"""Columns of which our few values of C decide: a length can be no other than one of them allows."""
CELLS_INFERRED_FROM = {
    *(("table_1", method, "liver") for method in ("RF", "BRS", "RIPPER", "CART")),
    ("table_1", "CART", "heart"),
    ("table_1", "CG", "bank-mkt"),
    ("table_1", "CART", "bank-mkt"),
    ("table_1", "RIPPER", "bank-mkt"),
}
"""Cells that the class of a dataset, or its version, was inferred from: on liver, on heart and on bank."""
BY_CHANCE = erfc(sqrt(2))
"""Probability that chance alone takes a normal value further than two standard errors from its mean: of ten folds."""
UNSURE = (
    f"{CHANCE}, or there are two folds; {reading_of(PARTITION)}; or the cell is what it was chosen by, or a length "
    "that C allows"
)


def outcome(verdict: str) -> Outcome:
    """What the comparison of a cell that was run says."""
    if verdict in AGREEING:
        return Outcome.AGREES
    return Outcome.DIFFERS if verdict == Agreement.DIFFERS else Outcome.INCONCLUSIVE


@claim("{key}", "{place}", tolerance=ERRORS, why=OTHER_FOLDS, over=PRINTED_CELLS)
def cells(tables: Tables, table: str, method: str) -> Evidence:
    """{measure} of {who} on 16 datasets, {how}.

    Each printed cell counts, beside the program that the paper ran or a port of it.
    """
    printed = of_method(published(NAME, table), method)
    if method in WITHOUT_PROGRAM:
        return Evidence.missing(NO_PROGRAM, len(printed))
    tested = beside_print(tables, table, method)
    tested = tested[tested["verdict"] != Agreement.NOT_RUN].set_index("dataset")
    if tested.empty:
        return awaited(PROGRAM_OF[method], len(printed))
    outcomes = tested["verdict"].map(outcome)
    outcomes[[undecided(table, method, str(name), one) for name, one in outcomes.items()]] = (
        Outcome.INCONCLUSIVE
    )
    deciding = [not inferred_from(table, method, str(name)) for name in tested.index]
    counted = tested[deciding] if any(deciding) else tested
    refuting = (outcomes == Outcome.DIFFERS) & (method not in INFERRED)
    finding = _found(counted, refuting[counted.index], many_folds=method != "CG")
    if any(deciding):
        finding += _left_out(tested[np.logical_not(deciding)])
    seen = coverage(tables, (PROGRAM_OF[method],), len(printed))
    if (table, method) in INFERRED_FROM:
        return Evidence.missing(f"{SHARES}, so that these decide nothing", len(printed), finding, seen)
    return Evidence.of_outcomes(
        outcomes,
        finding,
        lacking(len(tested), len(printed), NOT_RUN),
        stated=len(printed),
        doubt=UNSURE,
        inferred=INFERRED.get(method, ""),
        coverage=seen,
    )


def inferred_from(table: str, method: str, dataset: str) -> bool:
    """Whether a setting was inferred from a printed cell, or decides it, so that it counts as no agreement."""
    return (table, method) in INFERRED_FROM | OF_OUR_GRID or (table, method, dataset) in CELLS_INFERRED_FROM


def undecided(table: str, method: str, dataset: str, outcome: Outcome) -> bool:
    """Whether a cell decides nothing because of how its data were read, whatever comes out or only where it differs."""
    differs = outcome is Outcome.DIFFERS
    return inferred_from(table, method, dataset) or (differs and bool(reading_of([dataset])))


def without_neutral(table: str, cells: pd.DataFrame) -> pd.DataFrame:
    """Return the judged cells of a table, of which those that decide nothing have no verdict."""
    neutral = [decides_nothing(table, row) for row in cells.to_dict("records")]
    return unjudged(cells, pd.Series(neutral, index=cells.index, dtype=bool))


def decides_nothing(table: str, cell: Mapping[Hashable, Any]) -> bool:
    """Whether a cell that was run decides nothing because of a choice of ours, of its data or of its settings."""
    method, dataset = str(cell["method"]), str(cell["dataset"])
    found = outcome(str(cell["verdict"]))
    return (found is Outcome.DIFFERS and method in INFERRED) or undecided(table, method, dataset, found)


def _found(tested: pd.DataFrame, refuting: pd.Series, many_folds: bool) -> str:
    """How many cells agree, which differ, and the strict count."""
    beyond = tested["verdict"] == Agreement.DIFFERS
    named, spared = (
        ", ".join(f"{name} {value:+.1f}" for name, value in tested.loc[chosen, "difference"].items())
        for chosen in (refuting, beyond & ~refuting)
    )
    strict = int((tested["verdict"] == Agreement.EVERY_DIGIT).sum())
    sure = tested[np.isfinite(tested["tolerance"])]
    agree = tested["verdict"].isin(AGREEING).sum()
    near = int((sure["difference"].abs() <= sure["tolerance"]).sum())
    return (
        f"{agree} of {len(tested)} cells agree, {strict} of all to every digit; {near} "
        f"of the {len(sure)} with an error lie within two of it, however large"
        + (
            f" (by chance alone {BY_CHANCE * len(sure):.1f} would not)"
            if near < len(sure) and many_folds
            else ""
        )
        + (f"; beyond two errors: {named}" if named else "")
        + (f"; beyond them and undecided: {spared}" if spared else "")
    )


def _left_out(cells: pd.DataFrame) -> str:
    """By how much the cells miss print that chose how data are read, and count for nothing."""
    named = ", ".join(
        f"{name} {cell['difference']:+.1f}" + " (beyond two errors)" * (cell["verdict"] == Agreement.DIFFERS)
        for name, cell in cells.iterrows()
    )
    return f"; left out, as a reading was chosen by them: {named}" if named else ""
