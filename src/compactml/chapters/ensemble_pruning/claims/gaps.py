"""Claims on optimality gaps: Table 3 and Section 5.3.

They are about the paper's program. Runs of our strengthened program, in which a flow, search and branching do the work,
say nothing of it; rows whose column ``formulation`` is "plain" do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims.common import ORDER, PROSE, ROUNDING
from compactml.chapters.ensemble_pruning.claims.orders import POOL, Tables, datasets_in_order, listed, over
from compactml.chapters.ensemble_pruning.printed import printed_gaps
from compactml.chapters.ensemble_pruning.rows import NAMES, RUN, by_method, gap_cells
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.judging.noise import STANDARD_ERRORS

claim = partial(claim, NAME)

HALF_DIGIT = 0.05
"""Half a unit of the last digit of Table 3, in percentage points."""
PLAIN = "plain"
NOT_THE_PAPERS = "these runs are of our strengthened program; the paper's own has not been run on them yet"

CONFIGURATIONS: dict[str, dict[str, object]] = {
    "F1": {"method": "F1", "which": "Without diversity constraints", "count": "five"},
    "F3": {"method": "F3", "which": "With diversity constraints", "count": "four"},
}
"""Columns of Table 3, and on how many datasets each prints a gap of 0.0."""

Decision = Callable[[pd.DataFrame], tuple[list[bool], str]]


def papers_program(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the paper's program as it is; none where the formulation is not told."""
    return rows[rows["formulation"] == PLAIN]


def gaps(rows: pd.DataFrame, method: str) -> pd.Series:
    """Mean gap in percent of each dataset."""
    cells = gap_cells(rows)
    found = cells[cells["method"] == method].set_index("dataset")["value"].astype(float)
    return found[datasets_in_order(list(found.index))]


def setting(rows: pd.DataFrame) -> str:
    """The limit and the number of runs behind our gaps."""
    sizes = ", ".join(str(size) for size in sorted(rows["K"].unique()))
    per_dataset = rows.groupby(["dataset", "method"]).size()
    least, most = per_dataset.min(), per_dataset.max()
    n_runs = f"{least} to {most} runs a dataset" if least < most else f"{most} runs a dataset"
    return f"K = {sizes}, {n_runs}, limit {rows['time_limit'].max():g} s"


def less_time(rows: pd.DataFrame) -> str:
    """What our runs have and the paper's have more of."""
    solvers = rows["solver"].dropna()
    solver = solvers.iloc[0].split(",")[0] if len(solvers) else "another solver"
    ours = f"{rows['time_limit'].max():g} s of {solver} on one thread"
    return f"{ours}; the paper has 300 s of CPLEX 12.8 on eight cores"


def of_papers_program(tables: Tables, n_stated: int, decide: Decision) -> Evidence:
    """Return evidence from the runs of the paper's program; of ours only what was found.

    Parameters
    ----------
    tables : mapping of str to DataFrame
    n_stated : int
        Statements of the paper.
    decide : callable
        Takes rows of trials and returns whether each statement is right and the numbers; nothing where there are none.
    """
    rows = tables["table_3"]
    papers = papers_program(rows)
    if papers.empty:
        _, numbers = decide(rows)
        reason = because(NOT_THE_PAPERS, setting(rows)) if len(rows) else "nothing was run"
        return Evidence.missing(reason, n_stated, f"our program: {numbers}" if numbers else "")
    right, numbers = decide(papers)
    if not right:
        return Evidence.missing("the datasets in question were not run", n_stated)
    index = papers.set_index(RUN).index
    return Evidence.of_cells(
        right,
        numbers,
        because(lacking(index.unique("dataset").size, len(NAMES)), setting(papers)),
        stated=n_stated,
        doubtful=[True] * len(right),
        doubt=less_time(papers),
        inferred=POOL,
        coverage=over(index, papers),
    )


@claim("solved-{key}", "Table 3", tolerance=f"{HALF_DIGIT} points", why=ROUNDING, over=CONFIGURATIONS)
def solved(tables: Tables, method: str) -> Evidence:
    """{which} the optimality gap is 0.0 % on {count} of nine datasets, after five minutes.

    Where Table 3 prints a gap of 0.0, ours rounds to 0.0 too.
    """
    printed = printed_gaps()[method]
    expected = list(printed.index[printed == 0])

    def decide(rows: pd.DataFrame) -> tuple[list[bool], str]:
        by_dataset = gaps(rows, method)
        by_dataset = by_dataset[[name for name in by_dataset.index if name in expected]]
        right = by_dataset <= HALF_DIGIT
        return list(right), f"{int(right.sum())} of {len(by_dataset)}: {listed(by_dataset, 2)} %" if len(
            by_dataset
        ) else ""

    return of_papers_program(tables, len(expected), decide)


@claim(
    "small-gaps-{key}",
    "Section 5.3",
    tolerance="the largest printed mean gap",
    why='ours: the prose says "small"',
    over=CONFIGURATIONS,
)
def small_gaps(tables: Tables, method: str) -> Evidence:
    """{which} every dataset ends with a small optimality gap, after five minutes.

    No dataset's mean gap is above the largest printed one.
    """
    printed = printed_gaps()[method]

    def decide(rows: pd.DataFrame) -> tuple[list[bool], str]:
        by_dataset = gaps(rows, method)
        largest = (
            f"largest {by_dataset.max():.2f} % ({by_dataset.idxmax()}), the paper {printed.max()} %"
            if len(by_dataset)
            else ""
        )
        return list(by_dataset <= printed.max() + 1e-9), largest

    return of_papers_program(tables, len(printed), decide)


@claim("hardest", "Section 5.3", tolerance=ORDER, why=PROSE)
def hardest(tables: Tables) -> Evidence:
    """The default-of-credit-card dataset (DEF) ends with the largest optimality gap.

    The dataset of the largest printed gap has the largest gap.
    """
    name = printed_gaps()["F1"].idxmax()

    def decide(rows: pd.DataFrame) -> tuple[list[bool], str]:
        by_dataset = gaps(rows, "F1")
        decidable = name in by_dataset.index and len(by_dataset) > 1
        return [bool(by_dataset.idxmax() == name)] if decidable else [], f"{listed(by_dataset, 2)} %" if len(
            by_dataset
        ) else ""

    return of_papers_program(tables, 1, decide)


@claim(
    "diversity-gap",
    "Section 5.3",
    tolerance="the largest other rise in the paper, 2 standard errors",
    why='ours: the prose says "notable"',
)
def diversity_costs(tables: Tables, dataset: str = "DRD") -> Evidence:
    """Diversity constraints raise the optimality gap notably on one dataset alone, DRD.

    Notably is by more than the others of the paper and than two standard errors over the runs.
    """
    printed = printed_gaps()
    small = (printed["F3"] - printed["F1"]).drop(dataset).max() + HALF_DIGIT

    def decide(rows: pd.DataFrame) -> tuple[list[bool], str]:
        wide = 100 * by_method(rows, "gap").reindex(columns=["F1", "F3"])
        rises = (wide["F3"] - wide["F1"]).dropna().groupby(level="dataset")
        rise, error = rises.mean(), (rises.std() / rises.size() ** 0.5).fillna(0.0)
        notable = set(rise.index[(rise > small) & (rise > STANDARD_ERRORS * error)])
        found = f"rise of the gap: {listed(_in_order(rise), 2)} points" if len(rise) else ""
        return [notable == {dataset}] if dataset in rise.index else [], found

    return of_papers_program(tables, 1, decide)


def _in_order(values: pd.Series) -> pd.Series:
    names: Sequence[str] = [str(name) for name in values.index]
    return values[datasets_in_order(names)]
