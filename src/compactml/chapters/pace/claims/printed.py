"""What the printed tables say of themselves: claims that need no run."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import (
    EXACTLY,
    PRINT,
    PRINTED_DIGITS,
    REDUCTIONS,
    TABLES_1_AND_3,
    WINS,
    Tables,
    against_fipe,
    listed,
)
from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.rows import ENSEMBLES
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PACE, PRUNE
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence

claim = partial(claim, NAME, basis=Basis.ARITHMETIC)

PLACE = "E.2, Table 4"
STUMPS = {
    ensemble: {
        "ensemble": ensemble,
        "what": name,
        "wins": WINS[ensemble],
        "reductions": ", ".join(
            f"{percent} % on {dataset}" for dataset, percent in REDUCTIONS[ensemble].items()
        ),
    }
    for ensemble, name in ENSEMBLES.items()
}


@claim("print-reductions-{key}", PLACE, tolerance="rounding to percent", why=PRINTED_DIGITS, over=STUMPS)
def reductions(tables: Tables, ensemble: str) -> Evidence:
    """Pace is smaller than Fipe by {reductions}."""
    sizes = against_fipe(ensemble)
    computed = 100 * (1 - sizes[PACE] / sizes[FIPE])
    stated = pd.Series(REDUCTIONS[ensemble])
    right = (computed[stated.index] - stated).abs() <= 0.5 + 1e-9
    return Evidence.of_cells(right, listed(computed[stated.index], 1))


@claim("print-wins-{key}", PLACE, tolerance=EXACTLY, why=PRINT, over=STUMPS)
def smaller_than_fipe(tables: Tables, ensemble: str) -> Evidence:
    """In Table 4 Pace is smaller than Fipe on {wins} of 11 datasets ({what})."""
    sizes = against_fipe(ensemble)
    won = int((sizes[PACE] < sizes[FIPE]).sum())
    return Evidence.of_statement(won == WINS[ensemble], f"{won} of {len(sizes)}")


@claim("print-pronounced", PLACE, tolerance="mean over the datasets", why=PRINT)
def more_for_adaboost(tables: Tables) -> Evidence:
    """In Table 4 the gains over Fipe are larger for AdaBoost than for random forests.

    The share of Fipe's learners that Pace saves.
    """
    saved = {
        name: (1 - sizes[PACE] / sizes[FIPE]).mean() for name in ENSEMBLES for sizes in [against_fipe(name)]
    }
    text = ", ".join(f"{ENSEMBLES[name]} {100 * share:.0f} %" for name, share in saved.items())
    return Evidence.of_statement(saved[ADABOOST] > saved[RANDOM_FOREST], text)


@claim("compression-methods", "Abstract, Section 6", tolerance=EXACTLY, why=PRINT)
def compression_methods(tables: Tables) -> Evidence:
    """Pace outperforms prior compression methods."""
    return Evidence.missing(
        "the paper compares with a method of pruning alone, and prints no method of compression"
    )


@claim("print-slower-fipe", PLACE, tolerance="order of the times", why=PRINT)
def slower_than_fipe(tables: Tables) -> Evidence:
    """In Table 4 Pace takes longer than Fipe."""
    seconds = printed_sizes("table_4", "time_s")[[PACE, FIPE]].dropna()
    slower, faster = seconds[PACE] > seconds[FIPE], seconds[PACE] < seconds[FIPE]
    return Evidence.of_cells(
        slower, f"longer in {int(slower.sum())} of {len(seconds)} cells, shorter in {int(faster.sum())}"
    )


@claim(
    "print-slower-{key}",
    "Result 2, Table {n}",
    tolerance="order of the times",
    why=PRINT,
    over=TABLES_1_AND_3,
)
def slower_than_ablations(tables: Tables, table: str) -> Evidence:
    """In Table {n} Pace takes longer than each of its ablations ({what}).

    Cells in which all three ended before their limit.
    """
    seconds = printed_sizes(table, "time_s")[[PACE, GENERATE, PRUNE]].dropna()
    most = seconds[[GENERATE, PRUNE]].max(axis="columns")
    faster = seconds[PACE] < most
    named = _cells(seconds.index[faster])
    return Evidence.of_cells(
        seconds[PACE] > most,
        f"longer in {int((seconds[PACE] > most).sum())} of {len(seconds)} cells",
        f"shorter: {named}" if named else "",
    )


@claim("print-fipe", PLACE, tolerance=EXACTLY, why=PRINT)
def no_larger_than_fipe(tables: Tables) -> Evidence:
    """In Table 4 Pace is nowhere larger than Fipe."""
    sizes = printed_sizes("table_4")
    right = sizes[PACE] <= sizes[FIPE]
    return Evidence.of_cells(right, f"{int(right.sum())} of {len(right)} cells")


@claim("print-ties", PLACE, tolerance=EXACTLY, why=PRINT)
def ties(tables: Tables) -> Evidence:
    """The three datasets on which Pace and Fipe tie for AdaBoost also tie for random forests."""
    even = {name: against_fipe(name) for name in (RANDOM_FOREST, ADABOOST)}
    equal = {name: set(sizes.index[sizes[PACE] == sizes[FIPE]]) for name, sizes in even.items()}
    found = (
        f"AdaBoost {', '.join(sorted(equal[ADABOOST]))}; forests {', '.join(sorted(equal[RANDOM_FOREST]))}"
    )
    return Evidence.of_statement(len(equal[ADABOOST]) == 3 and equal[ADABOOST] <= equal[RANDOM_FOREST], found)


@claim(
    "print-ablations-{key}",
    "Result 2, Table {n}",
    tolerance="smaller in every cell",
    why=PRINT,
    over=TABLES_1_AND_3,
)
def smaller_than_ablations(tables: Tables, table: str) -> Evidence:
    """In Table {n} Pace is consistently smaller than both of its ablations ({what})."""
    sizes = printed_sizes(table).dropna(subset=PACE)
    least = sizes[[GENERATE, PRUNE]].min(axis="columns")
    smaller, larger = sizes[PACE] < least, sizes[PACE] > least
    named = _cells(sizes.index[larger])
    found = f"smaller in {int(smaller.sum())} of {len(sizes)} cells, larger in {int(larger.sum())}"
    return Evidence.of_cells(smaller, found, f"larger: {named}" if named else "")


@claim("print-generated-table_1", "Result 2, Table 1", tolerance="half of the cells", why=PRINT)
def all_generated(tables: Tables) -> Evidence:
    """In most cells of Table 1 all learners of Pace are generated ones (random forests)."""
    shares = printed_sizes("table_1", "pct_generated_in_final")[PACE].dropna()
    whole = shares == 100
    return Evidence.of_statement(
        bool(whole.mean() > 0.5), f"100 % in {int(whole.sum())} of {len(whole)} cells"
    )


@claim("print-generated-table_3", "E.1, Table 3", tolerance="half of the learners", why=PRINT)
def mostly_generated(tables: Tables) -> Evidence:
    """In Table 3 most learners of Pace are generated ones (AdaBoost).

    Averaged over the printed cells.
    """
    shares = printed_sizes("table_3", "pct_generated_in_final")[PACE].dropna()
    return Evidence.of_statement(
        bool(shares.mean() > 50),
        f"{shares.mean():.0f} % on average, {int((shares > 50).sum())} of {len(shares)} cells",
    )


@claim("print-limit", "E.1, Table 3", tolerance=EXACTLY, why=PRINT)
def limit_reached(tables: Tables) -> Evidence:
    """Pace reaches 20 hours on the two largest AdaBoost ensembles of Ionosphere alone."""
    sizes = printed_sizes("table_3")
    missing = set(sizes.index[sizes[PACE].isna()])
    largest = sorted(sizes.index.get_level_values("N").unique())[-2:]
    found = _cells(sorted(missing))
    return Evidence.of_statement(missing == {("Ionosphere", size) for size in largest}, found)


def _cells(keys: Iterable[tuple[str, int]]) -> str:
    """Cells of Table 1 or 3 as a text."""
    return ", ".join(f"{name} N = {size}" for name, size in keys)
