"""Claims on Table 1, on model (12), on the early stop, and on Algorithms 1 and 2 beside MILPs on small datasets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.claims.common import (
    EVERY,
    EXACTLY,
    FEATURES,
    IN_GENERAL,
    LARGEST_SMALL,
    PROSE,
    TIME_STEP,
    Answer,
    Tables,
    coverage,
    each,
    excused,
    fits,
    of_each,
    of_most,
    paper_runs,
    runs,
    seen_on,
    shorter,
    solved,
    stopped_early,
)
from compactml.chapters.feature_selection.claims.scored import (
    CLASSIFIERS,
    SCORING,
    ended,
    of_zero,
)
from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.printed import FOLDS, PARAMETRIC, SCORES
from compactml.chapters.feature_selection.trials.solving import PROVED
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, Share, because, lacking
from compactml.study.judging.noise import CHANCE, Outcome, lead_of

claim = partial(claim, NAME)

COMPETITIVE = 2.0
"""Factor of time up to which an algorithm is competitive with the fastest integer program."""
DISJUNCTION = "model (12)"
RIVALS = ("MILP1", "MILP2", "MILP3", *PARAMETRIC)
BOTH = {"mRMR": {"table": "table_6", "n": 6}, "CFS": {"table": "table_7", "n": 7}}
STOPPING = {"1": {"name": "Algorithm 1", "section": "4.1"}, "2": {"name": "Algorithm 2", "section": "4.2"}}
READ_AS_FILED = ("banknote", "spectf", "sports_articles", "sonar", "hill_valley", "urban_land_cover",
                 "epileptic_seizure", "scadi", "semeion", "usps", "lung_discrete", "isolet", "yale_32x32",
                 "orl_32x32", "colon", "pcmac")  # fmt: skip
"""Data that are read as their files are: no column or row was chosen so that the printed sizes fit."""


@claim("sizes-of-data", "Table 1", tolerance=EXACTLY, why="counts")
def sizes_of_data(tables: Tables) -> Evidence:
    """Features, rows and type of the class of 25 datasets (Table 1).

    Data of which a column or some rows were taken so that the sizes fit decide nothing.
    """
    frame = tables["table_1"].dropna(subset=["p", "p_here"]).set_index("dataset")
    keys = {dataset.name: dataset.key for dataset in DATASETS}
    outcomes: dict[str, Outcome] = {}
    for name, row in frame.iterrows():
        classes = "binary" if row["classes_here"] == 2 else "multi"
        cells = {
            "features": int(row["p"]) == int(row["p_here"]),
            "rows": int(row["n"]) == int(row["n_here"]),
            "class": str(row["class_type"]).lower() == classes,
        }
        for quantity, same in cells.items():
            told = Outcome.AGREES if same else Outcome.DIFFERS
            fitted = keys[str(name)] not in READ_AS_FILED
            outcomes[f"{name} ({quantity})"] = Outcome.INCONCLUSIVE if fitted else told
    stated = 3 * len(FEATURES)
    if not outcomes:
        return Evidence.missing("no dataset at hand", stated)
    same_ = sum(found is Outcome.AGREES for found in outcomes.values())
    wrong = [cell for cell, found in outcomes.items() if found is Outcome.DIFFERS]
    return Evidence.of_outcomes(
        outcomes.values(),
        f"{same_} of {3 * len(frame)} cells agree on data that are read as filed",
        because(f"not {', '.join(wrong)}" if wrong else "", lacking(len(frame), len(FEATURES))),
        stated=stated,
        doubt="the columns or rows were chosen so that they fit",
        coverage=coverage(len(frame), len(FEATURES)),
    )


@claim("disjunction-outperformed", "Section 5", tolerance=f"{EVERY}; {TIME_STEP} s", why=PROSE)
def disjunction_outperformed(tables: Tables) -> Evidence:
    """Model (12) is consistently outperformed by the other approaches.

    On every dataset of up to 60 features, the others being MILP1 to 3 and Algorithms 1 and 2 for mRMR: a method that
    solves it outperforms one that does not in its limit, or that takes longer. Whether two methods of which neither
    solves it, or that take times the paper does not tell apart, outperform each other is open.
    """
    gaps = pd.concat([runs(tables, "table_2"), runs(tables, "table_3")])
    rivals = gaps[gaps["method"].isin(RIVALS)].drop_duplicates(["dataset", "method"])
    rows = pd.concat([rivals, runs(tables, "model_12")])

    def better(by: pd.DataFrame) -> Answer:
        ended_as = by[["outcome", "seconds"]].to_dict("index")
        answers = [beats(ended_as[name], ended_as[DISJUNCTION]) for name in RIVALS]
        if False in answers:
            return False
        return True if all(answers) else None

    answers = each(rows, (*RIVALS, DISJUNCTION), better, most=LARGEST_SMALL)
    ours = excused(answers, rows, (*RIVALS, DISJUNCTION), fits(tables, "table_2"))
    stated = sum(p <= LARGEST_SMALL for p in FEATURES.values())
    return of_each(ours, stated, coverage=coverage(len(ours), stated, rows))


def beats(rival: Mapping[Any, Any], mine: Mapping[Any, Any]) -> bool | None:
    """Whether a run, by its outcome and seconds, outperforms another; None where that is open."""
    first, second = (run["outcome"] == PROVED for run in (rival, mine))
    if first != second:
        return bool(first)
    apart = abs(rival["seconds"] - mine["seconds"]) > TIME_STEP
    return bool(rival["seconds"] < mine["seconds"]) if first and apart else None


@claim(
    "early-stop-{key}",
    "Section {section}",
    tolerance="two standard errors of the mean logarithm of the ratio of times over datasets",
    why=IN_GENERAL,
    over=STOPPING,
)
def early_stop(tables: Tables, name: str) -> Evidence:
    """{name} takes less time in all where it ends its parametric problems early.

    With and without the early stop on the same data and machine, both measures of a dataset together. A run that the
    limit stopped counts with the limit, so that its factor is too small. Fewer than half of the datasets decide
    nothing in general.
    """
    frame = tables["early_stop"]
    rows = frame[frame["method"] == name]
    wide = rows.pivot_table(index=["dataset", "measure"], columns="early_stop", values="seconds")
    pairs = wide.reindex(columns=[False, True]).dropna()
    if pairs.empty:
        return Evidence.missing("no run with and without the early stop")
    factors = pd.Series(np.log(pairs[False] / pairs[True]), pairs.index).groupby(level="dataset").mean()
    lead = lead_of(factors)
    stopped = rows.loc[~rows["early_stop"].astype(bool), "proved"] != 1
    slowdown = (
        f"{np.exp(lead.mean):.2f} times as long without it in the geometric mean over {lead.blocks} datasets, on "
        f"{int((factors > 0).sum())} of them longer, {np.exp(factors.max()):.1f} times at most"
    )
    covered = coverage(lead.blocks, len(FEATURES), rows)
    if 2 * lead.blocks < len(FEATURES):
        largest = max(FEATURES[str(name)] for name in factors.index)
        reason = f"run on {lead.blocks} of {len(FEATURES)} datasets, those of up to {largest} features"
        return Evidence.missing(reason, found=slowdown, coverage=covered)
    return Evidence.of_outcomes(
        [lead.outcome],
        slowdown,
        f"{int(stopped.sum())} runs without it were stopped by the limit" if stopped.any() else "",
        doubt=CHANCE,
        coverage=covered,
    )


@claim(
    "competitive-small",
    "Section 5.2, Table 3",
    tolerance=f"more than half of the datasets; a factor of {COMPETITIVE:g}",
    why='ours: the prose says "competitive, if not better"',
)
def competitive(tables: Tables) -> Evidence:
    """Up to 60 features Algorithms 1 and 2 are competitive with the integer programs for mRMR, if not better.

    The faster of them solves a dataset in at most twice the time of the fastest integer program that solves it; times
    that the paper does not tell apart are equal.
    """
    methods = ("MILP1", "MILP3", *PARAMETRIC)

    def near(group: pd.DataFrame) -> Answer:
        done = group[group.apply(solved, axis="columns")]["seconds"]
        algorithms, milps = (done[done.index.isin(names)] for names in (PARAMETRIC, methods[:2]))
        if algorithms.empty:
            return None if len(stopped_early(group)) or milps.empty else False
        return bool(milps.empty or algorithms.min() <= COMPETITIVE * milps.min() + TIME_STEP)

    rows = runs(tables, "table_3")
    paper = each(paper_runs("table_3"), methods, near, most=LARGEST_SMALL)
    ours = excused(each(rows, methods, near, most=LARGEST_SMALL), rows, methods, fits(tables, "table_3"))
    return of_most(
        ours,
        seen_on(paper),
        stated=len(paper),
        reason=shorter(rows[rows["p"] <= LARGEST_SMALL]),
        coverage=coverage(len(ours), len(paper), rows),
    )


@claim(
    "similar-scores-{key}",
    "Section 5.2, Table {n}",
    tolerance="two standard errors of the mean difference over datasets, these of at most a point",
    why='ours: the prose says "on average, similar"',
    over=BOTH,
)
def similar_scores(tables: Tables, table: str) -> Evidence:
    """On average the sets of Algorithms 1 and 2 for {key} have similar F1 scores.

    The mean difference over the datasets on which both ended, each classifier, is 0 within its errors. It counts as
    many cells as there are datasets, so that those that are left out are missing.
    """
    rows, _ = ended(tables, table)
    outcomes, texts, seen, stated = list[Outcome](), [], 0, len(CLASSIFIERS) * len(FEATURES)
    for classifier in CLASSIFIERS:
        wide = rows.pivot_table(index="dataset", columns="method", values=classifier)
        less = wide.reindex(columns=PARAMETRIC).dropna()
        if len(less) < 2:
            continue
        lead, seen = lead_of(less[PARAMETRIC[0]] - less[PARAMETRIC[1]]), max(seen, len(less))
        outcomes += [of_zero(lead.mean, lead.error)] * len(less)
        texts.append(f"{SCORES[classifier.removesuffix('_mean')]}: {lead.mean:+.3f} ± {lead.error:.3f}")
    if 2 * seen < len(FEATURES):
        reason = f"both ended on {seen} of {len(FEATURES)} datasets, here and in the paper"
        return Evidence.missing(reason, stated, "; ".join(texts))
    return Evidence.of_outcomes(
        outcomes,
        f"Algorithm 1 less Algorithm 2 over {seen} datasets, {'; '.join(texts)}",
        "only datasets on which both ended, here and in the paper",
        stated=stated,
        doubt="the error of the mean is more than a point",
        inferred=SCORING,
        coverage=coverage(seen, len(FEATURES), repetitions=Share(FOLDS, FOLDS, "folds")),
    )
