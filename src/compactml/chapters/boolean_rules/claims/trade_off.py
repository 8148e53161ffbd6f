"""Claims on Fig 1: complexity against accuracy."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    LESS_TIME,
    OTHER_FOLDS,
    OWN_PROGRAM,
    OWN_PROGRAMS,
    TRADE_OFF_RIVALS,
    WORDS,
    Tables,
    coverage_of,
    of_method,
    printed_names,
    quickly_solved,
    stated,
)
from compactml.chapters.boolean_rules.protocol import TRADE_OFF
from compactml.chapters.boolean_rules.rows import best_accuracy, dominance
from compactml.chapters.boolean_rules.trials.paper import OURS, RULE_METHODS
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.judging.noise import STANDARD_ERRORS

claim = partial(claim, NAME)

BY_EYE = "ours: the paper compares curves by eye"
CLUSTER = 2.0
"""Factor between the largest and the smallest mean complexity that counts as a narrow range."""
ALLOWANCE = "the counts depend on the allowance: errors of few folds hardly tell the methods apart"


@claim(
    "cg-dominates",
    "Abstract, Fig 1",
    tolerance="the same share of the datasets tested, with an allowance of 1 standard error of the rival's point and "
    "without",
    why=BY_EYE,
)
def dominated_datasets(tables: Tables) -> Evidence:
    """Column generation trades accuracy for simplicity better than three rivals on 8 of 16 datasets.

    It dominates BRS, AM and BCD on half of the datasets seen, with an allowance of one standard error and without.
    """
    points = printed_names(tables["fig_1"])
    allowed, exact = dominance(points), dominance(points.assign(accuracy_error=0.0))
    total = int(stated("datasets"))
    if allowed.empty:
        return Evidence.missing("any dataset with all four methods was not run", total)
    share = stated("cg_dominates") / total
    names = allowed.loc[allowed[OURS], "dataset"].to_list()
    alone = allowed.loc[
        allowed[OURS] & ~allowed[list(TRADE_OFF_RIVALS)].any(axis="columns"), "dataset"
    ].to_list()
    counts = [int(frame[OURS].sum()) for frame in (allowed, exact)]
    return _over_all(
        min(counts) >= share * len(allowed),
        points[points["dataset"].isin(allowed["dataset"])],
        f"{counts[0]} of {len(allowed)} with an allowance of one standard error: {', '.join(names) or 'none'}; "
        f"on {len(alone)} of them no other method does so at once: {', '.join(alone) or 'none'}; "
        f"{counts[1]} of {len(allowed)} without the allowance",
        ALLOWANCE if counts[0] > counts[1] else "",
    )


@claim(
    "others-dominate",
    "Introduction",
    tolerance="with an allowance of 1 standard error and without",
    why=BY_EYE,
)
def others_dominate(tables: Tables) -> Evidence:
    """Each of BRS, AM and BCD trades accuracy for simplicity best on two datasets at most.

    A dataset that several methods dominate at once counts for each of them.
    """
    points = printed_names(tables["fig_1"])
    allowed, exact = dominance(points), dominance(points.assign(accuracy_error=0.0))
    if allowed.empty:
        return Evidence.missing("any dataset with all four methods was not run", int(stated("datasets")))
    counts, strict = (
        {method: int(frame[method].sum()) for method in TRADE_OFF_RIVALS} for frame in (allowed, exact)
    )
    several = int((allowed[list(RULE_METHODS)].sum(axis="columns") > 1).sum())
    with_, without = (", ".join(f"{name} {n}" for name, n in wins.items()) for wins in (counts, strict))
    return _over_all(
        max(*counts.values(), *strict.values()) <= stated("other_dominates_at_most"),
        points[points["dataset"].isin(allowed["dataset"])],
        f"{with_} with an allowance of one standard error, {without} without",
        because(
            f"on {several} datasets several methods dominate at once" if several else "",
            ALLOWANCE if counts != strict else "",
        ),
    )


def _over_all(holds: bool, points: pd.DataFrame, summary: str, reason: str = "") -> Evidence:
    """A statement on all sixteen datasets of Fig 1 that is right or wrong of those seen."""
    seen, total = points["dataset"].nunique(), int(stated("datasets"))
    return Evidence.of_cells(
        [holds] * seen,
        summary,
        because(lacking(seen, total), reason),
        stated=total,
        inferred=OWN_PROGRAMS,
        coverage=coverage_of(points, total, TRADE_OFF),
    )


@claim("brs-cluster", "Section 4", tolerance=f"a factor of {CLUSTER:g}", why=WORDS)
def clustered(tables: Tables) -> Evidence:
    """Rule sets of BRS keep nearly the same complexity whatever the prior.

    The largest mean complexity over all kappa against the smallest, for each dataset.
    """
    rows = of_method(tables["fig_1"], "BRS")
    total = int(stated("datasets"))
    if rows.empty:
        return Evidence.missing("BRS was not run", total)
    extremes = rows.groupby("dataset", sort=False)["complexity"].agg(["min", "max"])
    narrow = extremes["max"] <= CLUSTER * extremes["min"]
    wide = ", ".join(f"{name} {low:g} to {high:g}" for name, low, high in extremes[~narrow].itertuples())
    return Evidence.of_cells(
        narrow,
        f"within a factor of {CLUSTER:g} on {narrow.sum()} of {len(narrow)} datasets, kappa from "
        f"{rows['parameter'].min():g} to {rows['parameter'].max():g}",
        because(lacking(len(narrow), total), f"wider: {wide}" if wide else ""),
        stated=total,
        inferred=OWN_PROGRAM,
        coverage=coverage_of(rows, total, TRADE_OFF),
    )


@claim("heart-best", "Fig 1a, Section 5", tolerance="2 standard errors of ours", why=OTHER_FOLDS)
def best_on_heart(tables: Tables) -> Evidence:
    """Column generation reaches 81.3 % test accuracy on heart at its best complexity.

    Its most accurate point of Fig 1a, a mean over ten folds there.
    """
    best = best_accuracy(tables["fig_1"], "heart")
    if best is None:
        return Evidence.missing("heart was not run")
    error = 0.0 if np.isnan(best["accuracy_error"]) else best["accuracy_error"]
    off = best["accuracy"] - stated("heart_best_accuracy")
    hurried = off < 0 and "heart" not in quickly_solved(tables)
    return Evidence.of_statement(
        abs(off) <= STANDARD_ERRORS * error,
        f"{best['accuracy']:.1f} ({error:.1f}) % at C = {best['parameter']:g}",
        f"best of all C on {best['folds']:.0f} of ten folds: anything within {STANDARD_ERRORS * error:.1f} points "
        "would agree",
        doubt=LESS_TIME if hurried else "",
        coverage=coverage_of(best.to_frame().T, 1, TRADE_OFF),
    )
