"""Claims that the paper's definitions, proofs and printed numbers refute without a run."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.cfs_optima import cfs_intervals, impossible
from compactml.chapters.feature_selection.claims.common import EXACTLY, Tables
from compactml.chapters.feature_selection.printed import printed_runs
from compactml.datasets.registry import entry
from compactml.feature_selection.measures import symmetrical_uncertainty
from compactml.feature_selection.program import FractionalProgram
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence
from compactml.study.recording.published import published

claim = partial(claim, NAME, basis=Basis.ERRATUM)

LOGIC = "arithmetic"
EXAMPLE = "an example of two features"
Set = NDArray[np.float64]
IMPOSSIBLE: dict[str, dict[str, object]] = {name: {"dataset": name} for name in ("ISOLET", "Parkinson")}
PAIR = FractionalProgram(
    np.array([0.1, 0.1]),
    np.array([[0.0, 0.25], [0.25, 0.0]]),
    np.zeros(2),
    np.array([[1.0, 1.0], [1.0, 1.0]]),
)
"""Two features of value 0.1 each and 0.175 together: f is 0.1, 0.1, 0.7 and g is 1, 1, 4."""


@claim("su-range", "Section 2.2", tolerance=EXACTLY, why=LOGIC)
def uncertainty_range(tables: Tables) -> Evidence:
    """Symmetrical uncertainty, as the paper defines it, ranges from 0 to 1.

    Two equal variables should have 1: the printed formula is I / (H + H).
    """
    entropy = np.log([2.0])  # of a fair coin, which is also the information that it has about itself
    largest = float(symmetrical_uncertainty(entropy, entropy, entropy, "printed")[0])
    return Evidence.of_statement(
        bool(np.isclose(largest, 1)),
        f"two equal variables have {largest:g}",
        "I is at most the smaller entropy, so I / (H + H) is at most 1/2; a factor 2 is missing",
    )


@claim("hall-merit", "Sections 2.2 and 3.1", tolerance=EXACTLY, why=EXAMPLE)
def hall_merit(tables: Tables) -> Evidence:
    """The fraction that is maximised for CFS is the square of Hall's merit.

    On two features: (4) against k r_c / sqrt(k + k (k - 1) r_f), squared.
    """
    with_class, mutual = np.array([0.5, 0.4]), 0.3
    pairs = 2 * mutual * (np.ones((2, 2)) - np.eye(2))  # d_jk = 2 SU, over ordered pairs
    program = FractionalProgram(np.zeros(2), np.outer(with_class, with_class), np.ones(2), pairs)
    hall = with_class.sum() ** 2 / (2 + 2 * mutual)
    value = program.value(np.arange(2))
    return Evidence.of_statement(
        bool(np.isclose(value, hall)),
        f"two features of 0.5 and 0.4 with 0.3 between them: (4) gives {value:.3f}, Hall {hall:.3f}",
        "the sum over ordered pairs meets each pair twice already; Hall's has no factor 2 before it",
    )


@claim("last-iterate", "Section 4.1, Algorithm 1", tolerance=EXACTLY, why=EXAMPLE)
def last_iterate(
    tables: Tables, lower: float = 0.04, upper: float = 0.28, tolerance: float = 0.07
) -> Evidence:
    """When Algorithm 1 ends before its limit, it returns a set within the tolerance.

    It is carried out as printed, on two features.
    """
    sets = [chosen for chosen in product((0, 1), repeat=2) if any(chosen)]
    optimum, returned = PAIR.value(np.arange(2)), np.zeros(2)
    while upper - lower > tolerance:
        middle = (lower + upper) / 2
        value, returned = best_of_parametric(middle, sets)
        lower, upper = (middle, upper) if value > 0 else (lower, middle)
    got = PAIR.value(np.flatnonzero(returned))
    return Evidence.of_statement(
        bool(optimum - got <= tolerance),
        f"with a tolerance of {tolerance:g} it finds the optimum {optimum:.3f} and returns a set of value {got:.3f}",
        "it returns the set of its last step, which need not be the best one found when v(t) was negative there",
    )


@claim("identifiers", "Table 1", tolerance=EXACTLY, why="the registered data")
def identifiers(tables: Tables) -> Evidence:
    """Breast_Cancer has 31 features and Zoo has 17.

    As many as the registered data have, if all that Table 1 counts are measurements.
    """
    sizes = published(NAME, "table_1").set_index("dataset")["p"].astype(int)
    registered = {"Breast_Cancer": entry("wdbc").n_features, "Zoo": entry("zoo").n_features}
    wrong = {name: n for name, n in registered.items() if sizes[name] != n}
    return Evidence.of_statement(
        not wrong,
        ", ".join(f"{name} {sizes[name]} for {n}" for name, n in wrong.items()) or "as many as there are",
        "the record number and the animal's name were kept as features",
    )


@claim(
    "table-4-{dataset}",
    "Table 4",
    tolerance="rounding of the printed digits",
    why="the gaps (17) and (18)",
    over=IMPOSSIBLE,
)
def consistent(tables: Tables, dataset: str) -> Evidence:
    """On {dataset} no method finds a value for CFS that another one proves impossible."""
    intervals = cfs_intervals(dataset)
    low, high = (
        intervals.iloc[int(i)] for i in (intervals["at_least"].argmax(), intervals["at_most"].argmin())
    )
    return Evidence.of_statement(
        not impossible(dataset),
        f"{low['method']} found at least {low['at_least']:.2f}, {high['method']} proves at most {high['at_most']:.2f}",
        "both follow from the two gaps of each row, so the row of Algorithm 1 cannot be right",
    )


@claim("newton-gaps", "Tables 3 and 4", tolerance=EXACTLY, why=LOGIC)
def newton_gaps(tables: Tables) -> Evidence:
    """The gaps printed for the runs that Algorithm 2 ends are the gaps of these runs.

    They are what it measured, and not its tolerances.
    """
    rows = pd.concat([printed_runs(table) for table in ("table_3", "table_4")])
    ended = rows[(rows["method"] == "Algorithm 2") & (rows["outcome"] == "proved")]
    tolerances = (ended["gap_abs"] == 0.001) & (ended["gap_rel"] == 0.01)
    return Evidence.of_statement(
        not tolerances.all(),
        f"{tolerances.sum()} of {len(ended)} rows read 0.001 and 0.01",
        "these are the tolerances; as gaps they would make every optimum 0.1",
    )


@claim("sizes-up-to-p", "Tables 5, 6 and 7", tolerance=EXACTLY, why=LOGIC)
def heuristic_sizes(tables: Tables) -> Evidence:
    """No method selects more features than there are."""
    frame = pd.concat([printed_runs(table) for table in ("table_5", "table_6", "table_7")])
    wrong = frame[frame["n_selected"] > frame["p"]].drop_duplicates(["dataset", "n_selected"])
    names = ", ".join(f"{row.dataset} {row.n_selected:.0f} of {row.p}" for row in wrong.itertuples())
    return Evidence.of_statement(
        wrong.empty,
        names,
        "the heuristic's implementation appends the last feature once more when it runs out of features",
    )


def best_of_parametric(t: float, sets: Iterable[tuple[int, ...]]) -> tuple[float, Set]:
    """Return v(t), the largest f - t g of problem (15) for `PAIR` over some sets, and its set."""
    candidates = []
    for chosen in sets:
        x = np.array(chosen, dtype=float)
        f, g = (linear @ x + x @ full @ x for linear, full in ((PAIR.a, PAIR.b), (PAIR.c, PAIR.d)))
        candidates.append((float(f - t * g), x))
    return max(candidates, key=lambda pair: pair[0])
