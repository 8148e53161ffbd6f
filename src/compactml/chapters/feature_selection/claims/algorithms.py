"""Claims on what Algorithms 1 and 2 solve and in what time, beside each other and beside the heuristic.

A run that our shorter limit stopped refutes nothing, and does not show that a problem is not solved in the paper's
hour. That a problem is solved it may show.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.cfs_optima import impossible
from compactml.chapters.feature_selection.claims.common import (
    EVERY,
    EXACTLY,
    PAPER_LIMIT,
    PROSE,
    TIME_STEP,
    Answer,
    Tables,
    by_method,
    coverage,
    each,
    excuse,
    excused,
    fits,
    of_each,
    paper_runs,
    runs,
    solved,
    solvers,
)
from compactml.chapters.feature_selection.printed import EXACT, HEURISTIC, PARAMETRIC, THREADS, measure_of
from compactml.chapters.feature_selection.trials.solving import PROVED, TIME_LIMIT
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because

claim = partial(claim, NAME)

SIMILAR = 2.0
"""Factor within which median times count as similar; that of the paper stands in the evidence."""
NAMED: dict[str, dict[str, object]] = {name: {"dataset": name} for name in ("Semeion_Hand", "Madelon")}
GAP_TABLES: dict[str, dict[str, object]] = {
    "mRMR": {"gap_tables": ("table_2", "table_3"), "place": "Table 2, Table 3", "n": 15},
    "CFS": {"gap_tables": ("table_4",), "place": "Table 4", "n": 13},
}
TIMED = {"mRMR": {"table": "table_3"}, "CFS": {"table": "table_4"}}


@claim("solves-{dataset}", "Section 5.2, Table 3", tolerance="the paper's tolerance", why=PROSE, over=NAMED)
def parametric_solves(tables: Tables, dataset: str) -> Evidence:
    """Algorithm 1 or 2 solves mRMR on {dataset} to optimality within the hour.

    A run that was stopped refutes it only after the paper's limit and, its threads counted, after the paper's time.
    """
    longest = "hour" in tables and dataset in set(tables["hour"]["dataset"])
    every = runs(tables, "hour" if longest else "table_3")
    rows = by_method(every[every["dataset"] == dataset], PARAMETRIC).droplevel("dataset")
    if rows.empty:
        return Evidence.missing(f"{dataset} was not run")
    outcomes = ", ".join(
        f"{name} {row['seconds']:.1f} s, gap {row['gap']:.3g}" + ("" if solved(row) else " (limit)")
        for name, row in rows.iterrows()
    )
    paper = by_method(paper_runs("table_3"), PARAMETRIC).loc[dataset]
    needed, limit = paper.loc[paper["outcome"] == PROVED, "seconds"].min(), rows["time_limit"].max()
    short = f"limit {limit:g} s on one thread, the paper {needed:g} s on {THREADS} threads"
    fit = dataset in fits(tables, "table_3")
    doubt = because(
        short if limit < max(PAPER_LIMIT, THREADS * needed) else "",
        solvers(rows),
        "" if fit else str(excuse(rows.head(0), fit)),
    )
    true = bool(rows.apply(solved, axis="columns").any())
    return Evidence.of_statement(
        true, outcomes, "" if true else short, doubt=doubt, coverage=coverage(1, 1, every)
    )


@claim(
    "proved-{key}",
    "{place}",
    tolerance="every one of the {n} datasets",
    why="counted in the printed tables",
    over=GAP_TABLES,
)
def proved(tables: Tables, gap_tables: tuple[str, ...]) -> Evidence:
    """On {n} of the 25 datasets at least one of the paper's methods solves {key}.

    Of the datasets that one of them solves in print, whether one of them does here. Rows of the paper that are
    impossible are left out.
    """

    def any_solved(frames: list[pd.DataFrame]) -> dict[str, bool]:
        exact = pd.concat(frames).query("method in @EXACT")
        done = (exact["outcome"] == PROVED).groupby(exact["dataset"], sort=False).any()
        return {str(name): bool(yes) for name, yes in done.items()}

    rows = pd.concat([runs(tables, name) for name in gap_tables])
    ours, paper = any_solved([rows]), any_solved([paper_runs(name) for name in gap_tables])
    wrong = [name for name in paper if "table_4" in gap_tables and impossible(name)]
    there = [name for name, yes in paper.items() if yes and name not in wrong]
    answers = excused(
        {name: ours[name] for name in there if name in ours}, rows, EXACT, fits(tables, gap_tables[-1])
    )
    more = [name for name, yes in ours.items() if yes and name not in there]
    right = sum(answer is True for answer in answers.values())
    return of_each(
        answers,
        len(there),
        f"{right} of the {len(there)} datasets that they solve in the paper, and {len(more)} that they do not",
        f"the paper's rows of {', '.join(wrong)} are impossible and left out" if wrong else "",
        coverage=coverage(len(answers), len(there), runs(tables, gap_tables[-1])),
    )


@claim(
    "similar-times-{key}",
    "Section 5.2",
    tolerance=f"median within a factor {SIMILAR:g}, times below {TIME_STEP} s as they are and raised to it",
    why='ours: the prose says "similar"',
    over=TIMED,
)
def similar_times(tables: Tables, table: str) -> Evidence:
    """Where Algorithms 1 and 2 both solve {key}, they take similar times.

    The paper does not tell times below `TIME_STEP` apart, ours do: times are similar where the median ratio is near 1
    both ways.
    """

    def ratio(frame: pd.DataFrame, least: float) -> pd.Series:
        rows = by_method(frame, PARAMETRIC)
        done = rows.apply(solved, axis="columns").groupby(level="dataset").transform("all")
        wide = rows.loc[done, "seconds"].clip(lower=least).unstack()  # noqa: PD010
        return wide["Algorithm 1"] / wide["Algorithm 2"] if len(wide) else pd.Series(dtype=float)

    mine, theirs = runs(tables, table), paper_runs(table)
    sides = [ratio(mine, 0.0), ratio(mine, TIME_STEP), ratio(theirs, TIME_STEP)]
    ratios = pd.concat(sides, axis="columns", join="inner", keys=["ours", "raised", "paper"])
    stated = len(sides[2])
    if ratios.empty:
        return Evidence.missing("no dataset that both solve", stated)
    ours, raised, paper = ratios.median()
    near = [1 / SIMILAR <= factor <= SIMILAR for factor in (ours, raised)]
    far = ratios.loc[np.log(ratios["ours"]).abs().idxmax()]
    chosen = mine[mine["method"].isin(PARAMETRIC) & mine["dataset"].isin(ratios.index)]
    doubt = because(
        solvers(chosen),
        f"apart only by times below {TIME_STEP:g} s, which the paper does not tell apart" if near[1] else "",
    )
    return Evidence.of_cells(
        [all(near)] * len(ratios),
        f"median of Algorithm 1 / Algorithm 2: ours {ours:.2f} on {len(ratios)} datasets, {raised:.2f} with times "
        f"below {TIME_STEP:g} s raised to it, the paper {paper:.2f}",
        f"farthest from 1: {far.name}, ours {far['ours']:.2f}, the paper {far['paper']:.2f}",
        stated=stated,
        doubtful=[bool(doubt)] * len(ratios),
        doubt=doubt,
        coverage=coverage(len(ratios), stated, mine),
    )


@claim("optical-faster", "Section 5.2, Table 3", tolerance=EXACTLY, why=PROSE)
def faster_on_optical(tables: Tables) -> Evidence:
    """On Optical_Recog Algorithms 1 and 2 prove the optimum of mRMR faster than the heuristic ends."""
    return faster_than_heuristic(tables, "table_3", ("Optical_Recog",))


@claim("cfs-heuristic-slower", "Section 5.2, Table 4", tolerance=EVERY, why=PROSE)
def faster_for_cfs(tables: Tables) -> Evidence:
    """Wherever Algorithm 1 or 2 solves CFS, the heuristic takes longer.

    Rows of the paper that are impossible are left out.
    """
    return faster_than_heuristic(tables, "table_4")


def faster_than_heuristic(tables: Tables, table: str, datasets: tuple[str, ...] = ()) -> Evidence:
    """Where Algorithm 1 or 2 solves a dataset it does so in less time than scikit-feature takes on this machine.

    A selection that the limit ended takes longer than that: where the algorithm took longer too, that leaves it open.
    """
    measure = measure_of(table)
    times = tables["heuristic_times"]
    timed = times[times["measure"] == measure].set_index("dataset")[["outcome", "seconds"]]

    def is_faster(frame: pd.DataFrame, heuristic: pd.DataFrame) -> dict[str, Answer]:
        def faster(by: pd.DataFrame) -> Answer:
            done = by[by["outcome"] == PROVED]
            name = str(by["name"].iloc[0])
            if done.empty or name not in heuristic.index:
                return None
            longer = heuristic.loc[name]
            if done["seconds"].min() < longer["seconds"]:
                return True
            return None if longer["outcome"] == TIME_LIMIT else False

        answers = each(frame.assign(name=frame["dataset"]), PARAMETRIC, faster)
        return {name: answer for name, answer in answers.items() if not datasets or name in datasets}

    printed = paper_runs(table)
    theirs = printed[(printed["method"] == HEURISTIC) & printed["seconds"].notna()].set_index("dataset")
    rows, paper = runs(tables, table), is_faster(printed, theirs)
    if table == "table_4":  # rows of Algorithm 1 that another method proves impossible
        paper = {name: answer for name, answer in paper.items() if not impossible(name)}
    answers = {name: answer for name, answer in is_faster(rows, timed).items() if name in paper}
    common = excused(answers, rows, PARAMETRIC, fits(tables, table))
    return of_each(
        common,
        len(paper),
        f"we on {sum(answer is True for answer in common.values())} of {len(common)} datasets, "
        f"the paper on {sum(answer is True for answer in paper.values())} of {len(paper)}",
        "the heuristic by the repository that the paper names, on the raw values",
        coverage=coverage(len(common), len(paper), rows),
    )
