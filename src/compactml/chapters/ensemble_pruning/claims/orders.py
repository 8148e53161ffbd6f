"""Orders of means over another pool than the paper's, by the rule of `compactml.study.judging.noise`.

The datasets are the blocks: the runs of one dataset share its points, and its pools are nested. Of a statement about
one dataset its folds are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from compactml.chapters.ensemble_pruning.printed import RUNS
from compactml.chapters.ensemble_pruning.rows import (
    CASE,
    NAMES,
    RUN,
    by_method,
    complete_runs,
    papers_program,
    solver_names,
)
from compactml.chapters.ensemble_pruning.trials.baselines import BASELINE
from compactml.chapters.ensemble_pruning.trials.paper import PROGRAMS
from compactml.study.judging.evidence import Coverage, Evidence, Share, because, lacking
from compactml.study.judging.noise import (
    CHANCE,
    STANDARD_ERRORS,
    Lead,
    Outcome,
    block_means,
    every,
    lead_of,
    small_error,
    within_two_errors,
)
from compactml.study.recording.errors import NotRecorded

Tables = Mapping[str, pd.DataFrame]

POOL = "the paper does not give its pool of classifiers"
PAPER_LIMIT = 300.0
"""Seconds of a program."""
LIMIT_UNIT = "s a {what}, on one thread (the paper: eight cores)"
FOLDS = ("seed", "fold")
DATASETS = ("dataset",)
"""Blocks."""


def listed(values: pd.Series, digits: int) -> str:
    """Numbers with their names, as a text."""
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in values.items())


def datasets_in_order(datasets: Sequence[str]) -> list[str]:
    """Datasets in the order of Table 2."""
    return [name for name in NAMES if name in set(datasets)]


def over(index: pd.Index, rows: pd.DataFrame, n_datasets: int = len(NAMES)) -> Coverage:
    """Datasets, runs of each, and seconds of a program or, without one, of a benchmark, as shares of the paper's.

    Parameters
    ----------
    index : Index
        The runs that were compared, with the levels of `compactml.chapters.ensemble_pruning.rows.RUN`.
    rows : DataFrame
        The rows that they come from, of the methods that were compared.
    n_datasets : int, default=9
        Of the paper, that the statement is about.
    """
    runs = index.to_frame(index=False)[["dataset", *FOLDS]].drop_duplicates().groupby("dataset").size()
    programs = rows[rows["kind"] != BASELINE.name]
    what, timed = ("benchmark", rows) if programs.empty else ("program", programs)
    return Coverage(
        Share(len(runs), n_datasets, "datasets" if n_datasets > 1 else "dataset"),
        Share(int(runs.min()), RUNS, "runs"),
        Share(float(timed["time_limit"].max()), PAPER_LIMIT, LIMIT_UNIT.format(what=what)),
    )


def over_cases(scores: pd.DataFrame) -> pd.Series:
    """Mean of each method over the cases, every case counting alike."""
    mean: pd.Series = scores.groupby(level=CASE).mean().mean()
    return mean


def lead(difference: pd.Series, blocks: Sequence[str] = DATASETS) -> Lead:
    """Return the mean of paired differences over blocks, and its standard error.

    Parameters
    ----------
    difference : Series
        Of two methods, by run or by case.
    blocks : sequence of str, default=("dataset",)
        Levels of the index whose means are taken for independent.
    """
    return lead_of(block_means(difference, list(blocks)))


def least_lead(values: pd.DataFrame, ahead: Sequence[str], behind: Sequence[str]) -> str:
    """Which pair speaks most against an order, as a text: the one whose lead, with two errors added, is least."""
    leads = {(one, other): lead(values[one] - values[other]) for one in ahead for other in behind}
    (one, other), least = min(leads.items(), key=lambda pair: pair[1].mean + STANDARD_ERRORS * pair[1].error)
    return f"{one} {least.mean:+.2f} points against {other} (standard error {least.error:.2f})"


def order(
    values: pd.DataFrame, ahead: Sequence[str], behind: Sequence[str], blocks: Sequence[str] = DATASETS
) -> Outcome:
    """Return whether each of some methods has a larger mean than each of others."""
    return every(lead(values[one] - values[other], blocks).outcome for one in ahead for other in behind)


def no_further_apart(values: pd.DataFrame, most: float) -> Outcome:
    """Return whether no two methods differ by more than a number."""
    names = list(values)
    return every(
        lead(values[other] - values[one]).above(-most) for one in names for other in names if one != other
    )


def some(outcomes: Iterable[Outcome]) -> Outcome:
    """Return what several tests say of a statement that needs one of them."""
    seen = set(outcomes)
    for outcome in (Outcome.AGREES, Outcome.INCONCLUSIVE):
        if outcome in seen:
            return outcome
    return Outcome.DIFFERS


def as_printed(ours: Lead, printed: float) -> Outcome:
    """Return whether a mean over blocks is a printed number."""
    if not within_two_errors(ours.mean - printed, ours.error):
        return Outcome.DIFFERS
    return Outcome.AGREES if small_error(ours.error, printed) else Outcome.INCONCLUSIVE


def by_orders(
    outcomes: Sequence[Outcome],
    summary: str,
    scores: pd.DataFrame,
    rows: pd.DataFrame,
    *reasons: str,
    n_stated: int | None = None,
    n_datasets: int = len(NAMES),
    by_dataset: bool = False,
    doubt: str = CHANCE,
) -> Evidence:
    """Return evidence of statements about means over another pool than the paper's.

    A statement about a mean over datasets counts as many cells as there are datasets: those that lack their data make
    it *reproduced where testable* at best.

    Parameters
    ----------
    outcomes : sequence of Outcome
        One for each statement that was tested.
    summary : str
    scores : DataFrame
        Of the runs that were compared, a column per method.
    rows : DataFrame
        The rows that they come from.
    *reasons : str
    n_stated : int, optional
        Statements of the paper; by default those that were tested.
    n_datasets : int, default=9
        Of the paper, that the statements are about.
    by_dataset : bool, default=False
        Whether each statement is about one dataset only.
    doubt : str, optional
        Why what is inconclusive is so.
    """
    seen = scores.index.get_level_values("dataset").nunique()
    cells, of = (1, 1) if by_dataset else (seen, n_datasets)
    return Evidence.of_outcomes(
        [one for one in outcomes for _ in range(cells)],
        summary,
        because(*reasons, lacking(seen, n_datasets), solved_by_us(scores, rows)),
        stated=(n_stated or len(outcomes)) * of,
        doubt=doubt,
        inferred=POOL,
        coverage=over(scores.index, rows[rows["method"].isin(scores.columns)], n_datasets),
    )


def solved_by_us(scores: pd.DataFrame, rows: pd.DataFrame) -> str:
    """Say that the programs were solved by our method, not as the paper solves them, and how often to the end.

    Parameters
    ----------
    scores : DataFrame
        Of the runs that were compared, a column per method.
    rows : DataFrame
        The rows that they come from.

    Returns
    -------
    str
        Empty where no program is compared.
    """
    programs = rows[rows["method"].isin([name for name in PROGRAMS if name in scores])]
    compared = programs[programs.set_index(RUN).index.isin(scores.index)]
    if compared.empty:
        return ""
    proved = compared[compared["proved"].astype(float) == 1]
    elsewhere = " where that is proved, else better or worse" if len(proved) < len(compared) else ""
    return (
        f"our method solves the programs, {len(proved)} of {len(compared)} to the proved optimum"
        f"{by_solvers(compared)}; the paper's may return other ensembles, as good on the validation points{elsewhere}"
    )


def with_the_papers_own(tables: Tables, scores: pd.DataFrame) -> pd.DataFrame:
    """Test scores, in percent, of the benchmarks and of the paper's own program in place of our method.

    Parameters
    ----------
    tables : mapping of str to DataFrame
    scores : DataFrame
        A column per method, of which those of our method for the programs are replaced.

    Returns
    -------
    DataFrame
        Of the runs on whose votes the paper's own program is recorded for Table 3; empty where there is none.
    """
    rows = tables["table_3"]
    by_program = 100 * by_method(rows[papers_program(rows)], "test_accuracy")
    benchmarks = scores.drop(columns=[name for name in PROGRAMS if name in scores])
    joined: pd.DataFrame = benchmarks.join(by_program, how="inner").dropna()
    return joined


def leads_of_all(values: pd.DataFrame, ahead: Sequence[str], behind: Sequence[str]) -> str:
    """Each lead of some methods over each of others, in points, as a text."""
    pairs = [(one, other) for one in ahead for other in behind]
    return ", ".join(
        f"{one} {lead(values[one] - values[other]).shown(2)} against {other}" for one, other in pairs
    )


def beside_the_papers_own(paper_scores: pd.DataFrame, ahead: Sequence[str], behind: Sequence[str]) -> str:
    """Say what leads the paper's own program gives, on the votes of Table 3.

    Parameters
    ----------
    paper_scores : DataFrame
        Of `with_the_papers_own`.
    ahead, behind : sequence of str
        Methods that should be ahead of others; what is not recorded is left out.

    Returns
    -------
    str
        Empty where none is recorded.
    """
    pairs = [[name for name in names if name in paper_scores] for names in (ahead, behind)]
    leads = leads_of_all(paper_scores, *pairs)
    return f"with the paper's own program, on the votes of Table 3: {leads} points" if leads else ""


def borne_out(ours: Outcome, own: Outcome) -> Outcome:
    """Return what our method's order says, which the paper's own program on fewer runs may take back and not refute."""
    return ours if own is Outcome.AGREES or ours is not Outcome.AGREES else Outcome.INCONCLUSIVE


def by_solvers(rows: pd.DataFrame) -> str:
    """In how many runs of our method that a proof ended a solver made it, by name; empty where our program made all."""
    counts = solver_names(rows[rows["proved"].astype(float) == 1]).value_counts()
    return "".join(f", {n} by {name} on our strengthened program" for name, n in counts.items())


def complete_scores(tables: Tables, table: str, measure: str, methods: Sequence[str]) -> pd.DataFrame:
    """Test scores, in percent, of the runs that have all the methods.

    Raises
    ------
    NotRecorded
        There is no such run.
    """
    scores = complete_runs(tables[table], measure, methods)
    if scores.empty:
        raise NotRecorded(f"{table} with all methods")
    return 100 * scores
