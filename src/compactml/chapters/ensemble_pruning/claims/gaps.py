"""Claims on optimality gaps: Table 3 and Section 5.3.

They are judged on the paper's own program and its own bound alone. What a run on one thread solves is solved; what it
leaves open more threads could close, so an open gap refutes nothing, and no order of open gaps is confirmed. The folds
of a dataset are the blocks of its means: one within two standard errors of a limit is not below it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims.common import ORDER, PROSE, ROUNDING
from compactml.chapters.ensemble_pruning.claims.orders import (
    FOLDS,
    POOL,
    Tables,
    datasets_in_order,
    listed,
    over,
)
from compactml.chapters.ensemble_pruning.printed import printed_gaps
from compactml.chapters.ensemble_pruning.rows import NAMES, RUN, by_method, papers_program, solvers_by_method
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.judging.noise import Outcome, block_means, lead_of

claim = partial(claim, NAME)

HALF_DIGIT = 0.05
"""Half a unit of the last digit of Table 3, in percentage points."""
MOST_LOST = 0.005
"""Share of the right points that is negligible."""
LARGEST = "APS"

CONFIGURATIONS: dict[str, dict[str, object]] = {
    "F1": {"method": "F1", "which": "Without diversity constraints", "count": "five"},
    "F3": {"method": "F3", "which": "With diversity constraints", "count": "four"},
}
"""Columns of Table 3, and on how many datasets each prints a gap of 0.0."""
BOTH = list(CONFIGURATIONS)
ABSENT = "datasets not at hand or still to be recorded"

Decided = tuple[Collection[Outcome], str]
Decision = Callable[[pd.DataFrame], Decided]


def gaps(rows: pd.DataFrame, method: str) -> pd.Series:
    """Gaps of the paper's program in percent, by run, to the bound that the solver itself proved.

    Infinite where nothing is proved, and where the solver has no ensemble of its own: the gap in the row is then that
    of calling every point negative.
    """
    chosen = rows[rows["method"] == method].set_index(RUN)
    return (100 * chosen["solver_gap"].astype(float)).where(by_solver(chosen)).fillna(np.inf)


def by_solver(rows: pd.DataFrame) -> pd.Series:
    """In which runs of the paper's program the solver has an ensemble of its own, or proved that there is no better."""
    return (rows["found_by"] == "program") | (rows["proved"].astype(float) == 1)


def means(values: pd.Series) -> pd.Series:
    """Mean of the runs of each dataset, in the order of Table 2."""
    by_dataset: pd.Series = values.groupby(level="dataset").mean()
    return by_dataset[datasets_in_order([str(name) for name in by_dataset.index])]


def setting(rows: pd.DataFrame) -> str:
    """The limit and the number of runs behind our gaps."""
    sizes = ", ".join(str(size) for size in sorted(rows["K"].unique()))
    per_dataset = rows.groupby(["dataset", "method"]).size()
    least, most = per_dataset.min(), per_dataset.max()
    n_runs = f"{least} to {most} runs a dataset" if least < most else f"{most} runs a dataset"
    return f"K = {sizes}, {n_runs}, limit {rows['time_limit'].max():g} s"


def less_time(rows: pd.DataFrame) -> str:
    """What our runs have and the paper's have more of."""
    ours = f"{rows['time_limit'].max():g} s of {solvers_by_method(rows) or 'another solver'} on one thread"
    return f"{ours}; the paper has 300 s of CPLEX 12.8 on eight cores"


def if_small(runs: pd.Series, most: float) -> Outcome:
    """Return whether the mean of a dataset's runs is small.

    One that is small enough, beyond two errors over the folds, is so with more threads; anything else says nothing.
    """
    of_folds = block_means(runs, list(FOLDS))
    clear = np.isfinite(of_folds).all() and lead_of(most - of_folds).outcome is Outcome.AGREES
    return Outcome.AGREES if clear else Outcome.INCONCLUSIVE


def unless_solved(gap: float) -> Outcome:
    """What a statement that a gap stays open comes to: more threads could close it, and nothing opens a closed one."""
    return Outcome.DIFFERS if gap <= HALF_DIGIT else Outcome.INCONCLUSIVE


def of_papers_program(
    tables: Tables, datasets: Sequence[str], methods: Sequence[str], n_stated: int, decide: Decision
) -> Evidence:
    """Return evidence from the runs of the paper's program.

    Parameters
    ----------
    tables : mapping of str to DataFrame
    datasets : sequence of str
        That decide the statement; data, repetitions and time are counted on them.
    methods : sequence of str
        Configurations that the statement is about.
    n_stated : int
        Statements of the paper.
    decide : callable
        Takes rows of trials, on other datasets too, and returns what each statement comes to, and the numbers.
    """
    rows, n_datasets = tables["table_3"], len(datasets)
    papers = rows[papers_program(rows) & rows["method"].isin(methods)]
    deciding = papers[papers["dataset"].isin(datasets)]
    if deciding.empty:
        return Evidence.missing(still_to_be_run(rows, datasets), n_stated)
    outcomes, numbers = decide(papers)
    if not outcomes:
        return Evidence.missing("the configuration in question is still to be recorded", n_stated)
    seen = deciding["dataset"].nunique()
    return Evidence.of_outcomes(
        outcomes,
        numbers,
        because(lacking(seen, n_datasets, ABSENT), setting(deciding)),
        stated=n_stated,
        doubt=less_time(deciding),
        inferred=POOL,
        coverage=over(deciding.set_index(RUN).index, deciding, n_datasets),
    )


def still_to_be_run(rows: pd.DataFrame, datasets: Sequence[str]) -> str:
    """Why nothing can be said yet: our method runs on every dataset at hand, the paper's program on none so far."""
    at_hand = rows.loc[rows["dataset"].isin(datasets), "dataset"].nunique()
    what = "statement" if len(datasets) < len(NAMES) else "paper"
    where = f": on 0 of the {at_hand} datasets at hand, of {len(datasets)} in the {what}"
    return f"the paper's own program is still to be recorded{where if len(datasets) > 1 else f' on {datasets[0]}'}"


@claim("solved-{key}", "Table 3", tolerance=f"{HALF_DIGIT} points", why=ROUNDING, over=CONFIGURATIONS)
def solved(tables: Tables, method: str) -> Evidence:
    """{which} the optimality gap is 0.0 % on {count} of nine datasets, after five minutes.

    Where Table 3 prints a gap of 0.0, ours rounds to 0.0 too.
    """
    printed = printed_gaps()[method]
    expected = printed.index[printed == 0]

    def decide(rows: pd.DataFrame) -> Decided:
        runs = gaps(rows, method).loc[lambda every: every.index.isin(expected, level="dataset")]
        by_dataset = means(runs)
        found = f"{int((by_dataset <= HALF_DIGIT).sum())} of {len(by_dataset)}: {listed(by_dataset, 2)} %"
        return each_small(runs, HALF_DIGIT).values(), f"{found}; where every run closes no error can be given"

    return of_papers_program(tables, [str(name) for name in expected], [method], len(expected), decide)


@claim(
    "small-gaps-{key}",
    "Section 5.3",
    tolerance="the printed mean gap of the dataset",
    why='ours: the prose says "small"',
    over=CONFIGURATIONS,
)
def small_gaps(tables: Tables, method: str) -> Evidence:
    """{which} every dataset ends with a small optimality gap, after five minutes.

    Small is a mean gap that is no larger than the printed one of the dataset.
    """
    printed = printed_gaps()[method]

    def decide(rows: pd.DataFrame) -> Decided:
        runs = gaps(rows, method)
        above, ours = runs.sub(printed, level="dataset"), means(runs)
        largest = f"largest {ours.max():.2f} % ({ours.idxmax()}), the paper {printed.max()} %"
        return each_small(above, HALF_DIGIT).values(), f"{largest}; {listed(ours, 2)} %"

    return of_papers_program(tables, NAMES, [method], len(printed), decide)


@claim("largest-dataset", "Section 5.3", tolerance=f"{HALF_DIGIT} points", why=ROUNDING)
def largest_dataset(tables: Tables) -> Evidence:
    """The largest dataset (APS, 60,000 points) ends with an average gap of only 0.1 % in both configurations."""
    printed = printed_gaps().loc[LARGEST, list(CONFIGURATIONS)]
    if LARGEST not in set(tables["table_3"]["dataset"]):
        return Evidence.missing(f"{LARGEST} is not at hand", len(printed))

    def decide(rows: pd.DataFrame) -> Decided:
        runs = {method: gaps(rows, method) for method in BOTH}
        there = {method: one[one.index.isin([LARGEST], level="dataset")] for method, one in runs.items()}
        ours = pd.Series({method: one.mean() for method, one in there.items() if len(one)}, dtype=float)
        outcomes = [if_small(there[method], printed[method] + HALF_DIGIT) for method in ours.index]
        return outcomes, f"{listed(ours, 2)} %"

    return of_papers_program(tables, [LARGEST], BOTH, len(printed), decide)


@claim("hardest", "Section 5.3", tolerance=ORDER, why=PROSE)
def hardest(tables: Tables) -> Evidence:
    """DEF ends with the largest optimality gap: 6.7 % on average without diversity constraints, 6.9 % with them.

    No run of ours decides that, on another pool and with fewer threads than the paper's; `printed-hardest` has print.
    """
    name = str(printed_gaps()["F1"].idxmax())

    def decide(rows: pd.DataFrame) -> Decided:
        by_dataset = {method: means(gaps(rows, method)) for method in BOTH}
        outcomes = [unless_solved(one[name]) for one in by_dataset.values() if name in one.index]
        return outcomes, "; ".join(f"{method}: {listed(one, 2)} %" for method, one in by_dataset.items())

    return of_papers_program(tables, [name], BOTH, len(BOTH), decide)


@claim(
    "diversity-gap",
    "Section 5.3",
    tolerance="a gap left with diversity constraints",
    why='ours: the prose says "notable"',
)
def diversity_gap(tables: Tables, dataset: str = "DRD") -> Evidence:
    """Diversity constraints raise the optimality gap notably on one dataset alone, DRD, from 4.3 to 6.1 %.

    No run of ours decides that, as for `hardest`; `printed-diversity-gap` has print.
    """

    def decide(rows: pd.DataFrame) -> Decided:
        without, with_diversity = gaps(rows, "F1").align(gaps(rows, "F3"), join="inner")
        known = without[np.isfinite(without)]
        lost = known.index[np.isinf(with_diversity[known.index])]
        rises = (with_diversity - known).drop(lost).dropna()
        summary = f"rise of the gap in points: {listed(means(rises), 2) or 'none known'}"
        if len(lost):
            names = ", ".join(datasets_in_order(list(lost.get_level_values("dataset"))))
            summary += f"; no ensemble or no bound with diversity in {len(lost)} runs on {names}"
        ends = means(gaps(rows, "F3"))
        return [unless_solved(ends[dataset])] if dataset in ends.index else [], summary

    return of_papers_program(tables, [dataset], BOTH, 1, decide)


@claim(
    "negligible-loss",
    "Section 4",
    tolerance=f"{MOST_LOST:.1%} of the right points",
    why='ours: the prose says "negligible"',
)
def negligible_loss(tables: Tables) -> Evidence:
    """Diversity constraints cost the solutions of the program next to nothing.

    The paper rests this on its gaps, see `printed-diversity-gap`. Here it is the mean loss of right validation points,
    dataset by dataset, of F3's ensemble against the most that F1 can reach by its bound: with more time F1 might reach
    it. A dataset where the solver found no ensemble in some run says nothing.
    """

    def decide(rows: pd.DataFrame) -> Decided:
        lost = losses(rows)
        without = set(rows.loc[~by_solver(rows), "dataset"])
        outcomes = [
            Outcome.INCONCLUSIVE if name in without else if_small(runs, MOST_LOST)
            for name, runs in lost["most"].groupby(level="dataset", sort=False)
        ]
        names = ", ".join(datasets_in_order(list(without)))
        nothing = f"; a solver found no ensemble on {names}" if without else ""
        at_most = f"at most, by the bounds of F1: {listed(100 * means(lost['most']), 2)} %"
        return outcomes, f"lost: {listed(100 * means(lost['found']), 2)} %; {at_most}{nothing}"

    return of_papers_program(tables, NAMES, BOTH, len(NAMES), decide)


def losses(rows: pd.DataFrame) -> pd.DataFrame:
    """What F3 loses against F1, as a share of the right validation points of F1, by run.

    Returns
    -------
    DataFrame
        Columns ``found``, between the two ensembles; ``least`` and ``most``, between which the loss lies whatever more
        time would find, by the bounds. Without a bound of F1 the most is infinite, without one of F3 the least is.
    """
    value = by_method(rows, "value").reindex(columns=BOTH).dropna()
    bound = by_method(rows, "bound").reindex(index=value.index, columns=BOTH)
    return pd.DataFrame(
        {
            "found": (value["F1"] - value["F3"]) / value["F1"],
            "least": ((value["F1"] - bound["F3"]) / value["F1"]).fillna(-np.inf),
            "most": ((bound["F1"] - value["F3"]) / bound["F1"]).fillna(np.inf),
        }
    )


def each_small(runs: pd.Series, most: float) -> dict[str, Outcome]:
    """What `if_small` says of each dataset."""
    return {str(name): if_small(of_dataset, most) for name, of_dataset in runs.groupby(level="dataset")}
