"""Claims of ours about pruning ensembles, which the paper does not have."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.beyond import wrong_points
from compactml.chapters.ensemble_pruning.claims.common import EXACT, ORDER, OURS, PROGRAMS, UNREPORTED
from compactml.chapters.ensemble_pruning.claims.gaps import BOTH, MOST_LOST, losses, means
from compactml.chapters.ensemble_pruning.claims.orders import (
    Tables,
    by_solvers,
    datasets_in_order,
    listed,
    order,
    over_cases,
    solved_by_us,
)
from compactml.chapters.ensemble_pruning.rows import BENCHMARKS, RUN, by_method, papers_program, solver_names
from compactml.chapters.ensemble_pruning.trials.origin import START
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because
from compactml.study.judging.noise import Outcome, lead_of
from compactml.study.recording.errors import NotRecorded

claim = partial(claim, NAME)

PAPERS, WHOLE = "plain", "branching"
"""The paper's program and the whole method, as the curves name them."""
FEW_POINTS = 300
"""Validation points; the statement has the number."""
LEAST_CLOSED = 1 / 3
SAME_VOTES = "both on the same votes and fold with one thread; the program by HiGHS, ours without a solver"


def _times(ratio: pd.Series) -> str:
    """The least of some factors, rounded down."""
    return f"{np.floor(ratio.min()):.0f}"


@claim("smaller-gap-sooner", "Section 5.3", tolerance="order of the gaps", why=SAME_VOTES, basis=Basis.OURS)
def smaller_gap_sooner(tables: Tables) -> Evidence:
    """On a fold of DRD, SPA, DEF and BMK each our seconds leave less gap than a minute of the paper's program on HiGHS.

    One thread. Ours at the shortest limit stands beside the paper's at the longest, on the same votes and fold. Where
    the solver has found no ensemble of its own there, or proved nothing, there is no gap to compare.
    """
    rows = tables["curves"]
    short, long = float(rows["time_limit"].min()), float(rows["time_limit"].max())
    rows = rows.assign(gap=rows["gap"].where(rows["found_by"] != START))
    ours, papers = (
        _mean_gaps(rows[(rows["time_limit"] == limit) & (rows["method"] == method)])
        for limit, method in ((short, WHOLE), (long, PAPERS))
    )
    ours, papers = ours.align(papers, join="inner")
    open_ends = np.isinf(papers)
    return Evidence.of_cells(
        (ours < papers) & ~open_ends,
        f"ours after {short:g} s {listed(ours, 2)} %; "
        f"the paper's program after {long:g} s {listed(papers[~open_ends], 2)} %",
        because(
            "without diversity, one fold of each dataset, K = 100, HiGHS, one thread",
            _elsewhere(tables, "leaves {gap:.2f} %"),
        ),
        doubtful=open_ends,
        doubt=f"the solver has no ensemble of its own or no bound on {', '.join(papers.index[open_ends])}"
        if open_ends.any()
        else "",
        numbers={"short": f"{short:g}", "long": f"{long:g}", "factor": _times(papers / ours)},
    )


def _elsewhere(tables: Tables, says: str) -> str:
    """What the paper's program reaches on the runs of the curves in Table 3, by another solver or after more time.

    Parameters
    ----------
    tables : Tables
    says : str
        With the names ``gap``, in percent, and ``errors``, that are proved.
    """
    rows = tables.get("table_3")
    if rows is None:
        return ""
    rows = rows.assign(by=solver_names(rows))[papers_program(rows) & (rows["method"] == "F1")]
    curves = tables["curves"]
    compared = rows.set_index(RUN).index.isin(curves.set_index(RUN).index)
    more = ~rows["by"].str.startswith("highs", na=True) | (rows["time_limit"] > curves["time_limit"].max())
    return ", ".join(
        f"{row['by']} on {row['dataset']}, after {row['time_limit']:g} s, "
        + says.format(gap=100 * row["solver_gap"], errors=row["n_validation"] - row["bound"])
        for row in rows[compared & more].to_dict("records")
    )


def _mean_gaps(rows: pd.DataFrame) -> pd.Series:
    """Mean gap in percent of each dataset, infinite where a run has none."""
    by_run = rows.set_index("dataset")["gap"].astype(float).fillna(np.inf)
    return 100 * means(by_run)


@claim("flow-beats-program", "Section 5.3", tolerance="order of the bounds", why=SAME_VOTES, basis=Basis.OURS)
def flow_beats_program(tables: Tables) -> Evidence:
    """On a fold of DRD, SPA, DEF and BMK each a maximum flow proves more than a minute of the paper's program by HiGHS.

    One thread. The bounds are on errors; the program has its longest limit. Where it proves nothing it proves no error.
    """
    curves = tables["curves"]
    limit = curves["time_limit"].max()
    program = curves[(curves["method"] == PAPERS) & (curves["time_limit"] == limit)].set_index(RUN)
    bounds = tables["bounds"]
    flow = bounds[bounds["kind"] == "bounds"].set_index(RUN)
    both = program.index.intersection(flow.index)
    ours = flow.loc[both, "errors_isotonic"]
    papers = program.loc[both, "errors_bound"].astype(float).fillna(0.0).clip(lower=0.0)
    names = both.get_level_values("dataset")
    seconds = float(flow.loc[both, "seconds_isotonic"].max())
    errors = ", ".join(
        f"{name} {proved:.0f} against {other:.0f}"
        for name, proved, other in zip(names, ours, papers, strict=True)
    )
    return Evidence.of_cells(
        ours > papers,
        f"wrong points that no ensemble avoids: {errors}; {seconds:.2g} s at most, the program {limit:g} s",
        because(
            "the same votes, one fold of each dataset, K = 100, the program by HiGHS, one thread",
            _elsewhere(tables, "proves {errors:.0f}"),
        ),
        numbers={"seconds": f"{seconds:.2f}", "limit": f"{limit:g}"},
    )


@claim(
    "proved-optimal",
    "Section 5.3",
    tolerance=EXACT,
    why="ours: the limit of points was chosen after the runs",
    basis=Basis.OURS,
)
def proved_optimal(tables: Tables) -> Evidence:
    """Our method proves the optimum of every run with fewer than 300 validation points.

    The runs are those of Table 3's trials.
    """
    rows = tables["table_3"]
    rows = rows[~papers_program(rows)]
    few = rows["n_validation"] < FEW_POINTS
    if not few.any():
        raise NotRecorded("table_3 of our program")
    proved, names = rows["proved"].astype(bool), datasets_in_order(list(rows.loc[few, "dataset"]))
    still = rows[~proved].groupby("dataset")["gap"].max() * 100
    still = still[datasets_in_order(list(still.index))]
    return Evidence.of_cells(
        proved[few],
        f"{int(proved[few].sum())} of {int(few.sum())} runs on {', '.join(names)}, "
        f"{int(proved.sum())} of {len(rows)} on all datasets{by_solvers(rows)}"
        + (f"; largest gaps elsewhere: {listed(still, 2)} %" if len(still) else ""),
        f"K = {rows['K'].max()}, {rows['time_limit'].max():g} s on one thread",
        numbers={"proved": str(int(proved.sum())), "runs": str(len(rows)), "datasets": str(len(names))},
    )


@claim(
    "branching-closes",
    "Section 5.3",
    tolerance="a third, beyond two standard errors",
    why="ours, chosen after the first runs",
    basis=Basis.OURS,
)
def branching_closes(tables: Tables) -> Evidence:
    """Branching on classifiers closes a third or more of the errors that cuts leave open.

    Each dataset counts where any are left, its folds as blocks.
    """
    wrong = wrong_points(tables["bounds"])
    closed, left = wrong["branching"] - wrong["asummability"], wrong["found"] - wrong["asummability"]
    share = (means(closed) / means(left))[means(left) > 0]
    more = closed - LEAST_CLOSED * left
    return Evidence.of_outcomes(
        [lead_of(more.xs(name, level="dataset")).above(0) for name in share.index],
        f"closed: {listed(100 * share, 0)} %",
        numbers={"least": f"{100 * share.min():.0f} %", "most": f"{100 * share.max():.0f} %"},
    )


@claim(
    "diversity-costs-little",
    "Section 4",
    tolerance=f"{MOST_LOST:.1%}",
    why='ours: the prose says "negligible", of the gaps of Section 5.3',
    basis=Basis.OURS,
)
def diversity_costs_little(tables: Tables) -> Evidence:
    """Requiring diversity costs at most 0.5% of the right validation points in any run.

    It is what F3 loses against F1, run by run. Decided is a run whose bounds leave no doubt: what F1 may reach by its
    bound exceeds the ensemble of F3 by no more than that, or what F1 has exceeds the bound of F3 by more.
    """
    rows = tables["table_4"]
    compared = rows[rows["method"].isin(BOTH)]
    values = by_method(rows, "value").reindex(columns=list(PROGRAMS)).dropna()
    lost = losses(rows).loc[values.index]
    points = values["F1"] - values["F3"]
    reaches = int((points <= 0).sum())
    outcomes = [
        Outcome.AGREES
        if most <= MOST_LOST
        else Outcome.DIFFERS
        if least > MOST_LOST
        else Outcome.INCONCLUSIVE
        for least, most in lost[["least", "most"]].to_numpy()
    ]
    return Evidence.of_outcomes(
        outcomes,
        f"F3 reaches F1 in {reaches} of {len(lost)} runs; the most that a run loses are {points.max():.0f} points, and "
        f"{100 * lost['found'].max():.2f} % in another or the same",
        f"values and bounds are the best our method has within the limit{by_solvers(compared)}",
        doubt="the bounds leave room for a larger loss",
        numbers={"reaches": str(reaches), "runs": str(len(lost)), "most": f"{points.max():.0f}"},
    )


@claim("programs-overfit", "Section 5.4", tolerance=ORDER, why=OURS, basis=Basis.OURS)
def programs_overfit(tables: Tables) -> Evidence:
    """From validation to test points the programs, solved by our method, lose more than every benchmark.

    Each benchmark is a statement, of all programs at once: they nearly coincide, and which of equally good ensembles
    our method returns may turn a single pair. The paper's own program, on the votes of Table 3, stands beside them.
    """
    rows, methods = tables["overfitting"], (*BENCHMARKS, *UNREPORTED)
    loss = _loss(rows)
    loss = loss.reindex(columns=[*PROGRAMS, *methods]).dropna()
    points = over_cases(loss)
    outcomes = [order(loss, PROGRAMS, (other,)) for other in methods]
    clear = outcomes.count(Outcome.AGREES)
    by_papers, own_clear, n_own = _by_the_papers_own(tables["table_3"], loss[list(methods)])
    return Evidence.of_outcomes(
        outcomes,
        f"points lost: {listed(points, 2)}; all three more, beyond two standard errors, than {clear} of "
        f"{len(outcomes)} benchmarks{by_papers}",
        because("an exact program also fits the chance in the validation points", solved_by_us(loss, rows)),
        numbers={"clear": str(clear), "own": str(own_clear), "benchmarks": str(n_own)},
    )


def _loss(rows: pd.DataFrame) -> pd.DataFrame:
    """Points of accuracy that each method loses from the validation to the test points, by run."""
    return 100 * (by_method(rows, "validation_accuracy") - by_method(rows, "test_accuracy"))


def _by_the_papers_own(rows: pd.DataFrame, benchmarks: pd.DataFrame) -> tuple[str, int, int]:
    """The same of the paper's own program, on the votes of Table 3: a text, empty where there is none, and counts."""
    lost = _loss(rows[papers_program(rows)])
    runs = benchmarks.join(lost, how="inner")
    if runs.empty:
        return "", 0, 0
    clear = [order(runs, [str(one) for one in lost], (str(other),)) is Outcome.AGREES for other in benchmarks]
    points = listed(over_cases(runs[list(lost)]), 2)
    text = f"; by the paper's own program {points}, and more than {sum(clear)} of {len(clear)}"
    return text, sum(clear), len(clear)
