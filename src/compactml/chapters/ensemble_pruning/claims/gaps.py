"""Claims on optimality gaps: Table 3 and Section 5.3.

They are judged on the paper's own program alone. What a run on one thread solves is solved; what it leaves open more
threads could close, so an open gap refutes nothing, and no order of open gaps is confirmed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims.common import ORDER, PROSE, ROUNDING
from compactml.chapters.ensemble_pruning.claims.orders import POOL, Tables, datasets_in_order, listed, over
from compactml.chapters.ensemble_pruning.printed import printed_gaps
from compactml.chapters.ensemble_pruning.rows import NAMES, RUN, by_method, gap_cells, papers_program
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because
from compactml.study.judging.noise import Outcome

claim = partial(claim, NAME)

HALF_DIGIT = 0.05
"""Half a unit of the last digit of Table 3, in percentage points."""
ROUNDED = 1e-9
MOST_LOST = 0.005
"""Share of the right points that is negligible."""
LARGEST = "APS"
STILL_TO_BE_RUN = "the paper's own program is still to be recorded"

CONFIGURATIONS: dict[str, dict[str, object]] = {
    "F1": {"method": "F1", "which": "Without diversity constraints", "count": "five"},
    "F3": {"method": "F3", "which": "With diversity constraints", "count": "four"},
}
"""Columns of Table 3, and on how many datasets each prints a gap of 0.0."""

Decision = Callable[[pd.DataFrame], tuple[list[Outcome], str]]


def gaps(rows: pd.DataFrame, method: str) -> pd.Series:
    """Mean gap in percent of each dataset: of the paper's program, or ours by its name in Table 3."""
    cells = gap_cells(rows)
    means = cells[cells["method"] == method].set_index("dataset")["value"].astype(float)
    return _in_order(means)


def setting(rows: pd.DataFrame) -> str:
    """The limit and the number of runs behind our gaps."""
    sizes = ", ".join(str(size) for size in sorted(rows["K"].unique()))
    per_dataset = rows.groupby(["dataset", "method"]).size()
    least, most = per_dataset.min(), per_dataset.max()
    n_runs = f"{least} to {most} runs a dataset" if least < most else f"{most} runs a dataset"
    return f"K = {sizes}, {n_runs}, limit {rows['time_limit'].max():g} s"


def less_time(rows: pd.DataFrame) -> str:
    """What our runs have and the paper's have more of."""
    names = rows["solver"].dropna().str.split(",").str[0]
    solvers = " or ".join(sorted(set(names))) or "another solver"
    ours = f"{rows['time_limit'].max():g} s of {solvers} on one thread"
    return f"{ours}; the paper has 300 s of CPLEX 12.8 on eight cores"


def if_small(gap: float, most: float) -> Outcome:
    """A gap that is small enough is so with more threads; a larger one says nothing."""
    return Outcome.AGREES if gap <= most + ROUNDED else Outcome.INCONCLUSIVE


def unless_solved(gap: float) -> Outcome:
    """What a statement that a gap stays open comes to: more threads could close it, and nothing opens a closed one."""
    return Outcome.DIFFERS if gap <= HALF_DIGIT else Outcome.INCONCLUSIVE


def of_papers_program(tables: Tables, n_stated: int, decide: Decision) -> Evidence:
    """Return evidence from the runs of the paper's program.

    Parameters
    ----------
    tables : mapping of str to DataFrame
    n_stated : int
        Statements of the paper.
    decide : callable
        Takes rows of trials and returns what each statement comes to, and the numbers; nothing where there are none.
    """
    rows = tables["table_3"]
    papers = rows[papers_program(rows)]
    seen = papers["dataset"].nunique()
    if papers.empty:
        return Evidence.missing(f"{STILL_TO_BE_RUN}: 0 of {len(NAMES)} datasets", n_stated)
    outcomes, numbers = decide(papers)
    lacking = f"{len(NAMES) - seen} of {len(NAMES)} datasets not at hand or still to be recorded"
    reason = because(lacking if seen < len(NAMES) else "", setting(papers))
    if not outcomes:
        return Evidence.missing(because("the datasets in question were not run", reason), n_stated)
    return Evidence.of_outcomes(
        outcomes,
        numbers,
        reason,
        stated=n_stated,
        doubt=less_time(papers),
        inferred=POOL,
        coverage=over(papers.set_index(RUN).index, papers),
    )


@claim("solved-{key}", "Table 3", tolerance=f"{HALF_DIGIT} points", why=ROUNDING, over=CONFIGURATIONS)
def solved(tables: Tables, method: str) -> Evidence:
    """{which} the optimality gap is 0.0 % on {count} of nine datasets, after five minutes.

    Where Table 3 prints a gap of 0.0, ours rounds to 0.0 too.
    """
    printed = printed_gaps()[method]
    expected = printed.index[printed == 0]

    def decide(rows: pd.DataFrame) -> tuple[list[Outcome], str]:
        by_dataset = gaps(rows, method)
        by_dataset = by_dataset[by_dataset.index.isin(expected)]
        n_right = int((by_dataset <= HALF_DIGIT).sum())
        found = f"{n_right} of {len(by_dataset)}: {listed(by_dataset, 2)} %"
        return _each(by_dataset, HALF_DIGIT), found

    return of_papers_program(tables, len(expected), decide)


@claim(
    "small-gaps-{key}",
    "Abstract, Section 5.3",
    tolerance="the largest printed mean gap",
    why='ours: the prose says "small"',
    over=CONFIGURATIONS,
)
def small_gaps(tables: Tables, method: str) -> Evidence:
    """{which} every dataset ends with a small optimality gap, after five minutes.

    No dataset's mean gap is above the largest printed one.
    """
    printed = printed_gaps()[method]

    def decide(rows: pd.DataFrame) -> tuple[list[Outcome], str]:
        by_dataset = gaps(rows, method)
        if by_dataset.empty:
            return [], ""
        found = f"largest {by_dataset.max():.2f} % ({by_dataset.idxmax()}), the paper {printed.max()} %"
        return _each(by_dataset, printed.max()), f"{found}; {listed(by_dataset, 2)} %"

    return of_papers_program(tables, len(printed), decide)


@claim("largest-dataset", "Abstract, Section 5.3", tolerance=f"{HALF_DIGIT} points", why=ROUNDING)
def largest_dataset(tables: Tables) -> Evidence:
    """The largest dataset (APS, 60,000 points) ends with an average gap of only 0.1 % in both configurations."""
    printed = printed_gaps().loc[LARGEST, list(CONFIGURATIONS)]

    def decide(rows: pd.DataFrame) -> tuple[list[Outcome], str]:
        ours = pd.Series({method: gaps(rows, method).get(LARGEST) for method in CONFIGURATIONS}).dropna()
        most = printed.reindex(ours.index) + HALF_DIGIT
        return [if_small(*pair) for pair in zip(ours, most, strict=True)], f"{listed(ours, 2)} %"

    return of_papers_program(tables, len(printed), decide)


@claim("hardest", "Section 5.3", tolerance=ORDER, why=PROSE)
def hardest(tables: Tables) -> Evidence:
    """The default-of-credit-card dataset (DEF) ends with the largest optimality gap.

    With fewer threads than the paper's only a solved DEF decides that.
    """
    name = str(printed_gaps()["F1"].idxmax())

    def decide(rows: pd.DataFrame) -> tuple[list[Outcome], str]:
        by_dataset = gaps(rows, "F1")
        decidable = name in by_dataset.index
        return [unless_solved(by_dataset[name])] if decidable else [], f"{listed(by_dataset, 2)} %"

    return of_papers_program(tables, 1, decide)


@claim(
    "diversity-gap",
    "Section 5.3",
    tolerance="a gap left with diversity constraints",
    why='ours: the prose says "notable"',
)
def diversity_gap(tables: Tables, dataset: str = "DRD") -> Evidence:
    """Diversity constraints raise the optimality gap notably on one dataset alone, DRD.

    With fewer threads than the paper's only a solved DRD decides that.
    """

    def decide(rows: pd.DataFrame) -> tuple[list[Outcome], str]:
        wide = 100 * by_method(rows, "gap").reindex(columns=list(CONFIGURATIONS))
        rises = (wide["F3"] - wide["F1"]).dropna().groupby(level="dataset").mean()
        with_diversity = gaps(rows, "F3")
        decidable = dataset in with_diversity.index
        found = f"rise of the gap: {listed(_in_order(rises), 2)} points"
        return [unless_solved(with_diversity[dataset])] if decidable else [], found

    return of_papers_program(tables, 1, decide)


@claim(
    "negligible-loss",
    "Section 4",
    tolerance=f"{MOST_LOST:.1%} of the right points",
    why='ours: the prose says "negligible"',
)
def negligible_loss(tables: Tables) -> Evidence:
    """Diversity constraints cost the solutions of the program next to nothing.

    The mean loss of F3 against F1 on the validation points, dataset by dataset. A dataset where the solver found no
    ensemble in some run says nothing.
    """

    def decide(rows: pd.DataFrame) -> tuple[list[Outcome], str]:
        value = by_method(rows, "value").reindex(columns=list(CONFIGURATIONS)).dropna()
        lost = _in_order(((value["F1"] - value["F3"]) / value["F1"]).groupby(level="dataset").mean())
        without = set(rows.loc[rows["found_by"] != "program", "dataset"])
        outcomes = [
            Outcome.INCONCLUSIVE if name in without else if_small(share, MOST_LOST)
            for name, share in lost.items()
        ]
        names = ", ".join(datasets_in_order(list(without)))
        nothing = f"; a solver found no ensemble on {names}" if without else ""
        return outcomes, f"lost: {listed(100 * lost, 2)} %{nothing}"

    return of_papers_program(tables, len(NAMES), decide)


def _each(by_dataset: pd.Series, most: float) -> list[Outcome]:
    return [if_small(gap, most) for gap in by_dataset]


def _in_order(values: pd.Series) -> pd.Series:
    return values[datasets_in_order([str(name) for name in values.index])]
