"""Claims on the F1 scores of the sets that the methods find, and on the sizes for CFS beside those for mRMR."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.claims.common import (
    DIGITS,
    FEATURES,
    IN_GENERAL,
    LARGEST_SMALL,
    MILPS,
    MOST_CELLS,
    PROSE,
    Answer,
    Tables,
    coverage,
    named,
    of_most,
)
from compactml.chapters.feature_selection.claims.scored import (
    BETTER,
    CLASSIFIERS,
    IN_GENERAL_WORSE,
    NAMED,
    RULE_OF_THE_HEURISTIC,
    SCORING,
    cell_coverage,
    cells_of,
    differences,
    ended,
    milp3_best_score,
    printed_smaller,
    wins,
    with_sets,
)
from compactml.chapters.feature_selection.judging import STOPPED
from compactml.chapters.feature_selection.printed import FOLDS, PARAMETRIC, SCORES, measure_of, printed_runs
from compactml.chapters.feature_selection.trials.solving import PROVED
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, Share, because
from compactml.study.judging.noise import CHANCE, Lead, Outcome, every, lead_of

claim = partial(claim, NAME)

SETS = f"each with the set that it ended with or was stopped with, {RULE_OF_THE_HEURISTIC}"
SETS_OF_LESS_TIME = "a set found in more time may score otherwise"
CLOCKED = "the sets of runs that a limit stopped, here or in the paper, are not compared"
CELLS = "cells"
FOLD_ERRORS = "two standard errors of the difference over five folds, every dataset and classifier"


@claim("milp3-scores", "Section 5.2, Table 5", tolerance=f"{MOST_CELLS}; ties count", why=IN_GENERAL)
def milp3_scores(tables: Tables) -> Evidence:
    """On most datasets the set of MILP3 has the best F1 score of the three integer programs.

    Only the sets of runs that ended are compared.
    """
    ours, paper = (cells_of(frame, milp3_best_score, MILPS) for frame in ended(tables, "table_5"))
    answers: dict[str, Answer] = {name: answer for name, answer in ours.items() if name in paper}
    stated = len(CLASSIFIERS) * len(FEATURES)
    return of_most(
        answers,
        paper,
        stated=stated,
        what=CELLS,
        reason=CLOCKED,
        inferred=SCORING,
        coverage=cell_coverage(answers),
    )


@claim("mrmr-heuristic-worse", "Section 5.2, Table 6", tolerance=IN_GENERAL_WORSE, why=IN_GENERAL)
def mrmr_heuristic(tables: Tables) -> Evidence:
    """For mRMR the set of the heuristic in general scores worse than those of Algorithms 1 and 2."""
    return worse_in_general(tables, "table_6", list(FEATURES))


@claim("mrmr-heuristic-named", "Section 5.2, Table 6", tolerance=FOLD_ERRORS, why=PROSE)
def mrmr_heuristic_where_named(tables: Tables) -> Evidence:
    """On Connectionist, ISOLET and USPS the heuristic for mRMR scores worse than Algorithms 1 and 2."""
    heuristic = of_heuristic(tables, "table_6")
    rows = with_sets(tables["table_6"])
    outcomes: dict[str, Outcome] = {}
    for name in NAMED:
        greedy = heuristic[heuristic["dataset"] == name]
        algorithms = rows[(rows["dataset"] == name) & rows["method"].isin(PARAMETRIC)]
        if greedy.empty or algorithms.empty:
            continue
        for classifier in CLASSIFIERS:
            leads = [score_lead(row, greedy.iloc[0], classifier) for _, row in algorithms.iterrows()]
            cell = f"{name} ({classifier[3:5].upper()})"
            outcomes[cell] = every(lead.outcome for lead in leads)
            if outcomes[cell] is Outcome.DIFFERS and algorithms["outcome"].isin(STOPPED).any():
                outcomes[cell] = Outcome.INCONCLUSIVE
    stated = len(NAMED) * len(CLASSIFIERS)
    if not outcomes:
        return Evidence.missing("no set of the heuristic beside one of the algorithms", stated)
    agree = [name for name, found in outcomes.items() if found is Outcome.AGREES]
    rest = [name for name in outcomes if name not in agree]
    return Evidence.of_outcomes(
        outcomes.values(),
        f"worse in {len(agree)} of {len(outcomes)} cells",
        because(f"not in {named(rest)}" if rest else "", SETS),
        stated=stated,
        doubt=because(CHANCE, SETS_OF_LESS_TIME),
        inferred=SCORING,
        coverage=cell_coverage(outcomes, len(NAMED)),
    )


@claim("cfs-heuristic-worse", "Section 5.2, Table 7", tolerance=IN_GENERAL_WORSE, why=IN_GENERAL)
def cfs_heuristic(tables: Tables) -> Evidence:
    """For CFS the set of the heuristic generally scores worse than those of Algorithms 1 and 2."""
    return worse_in_general(tables, "table_7", list(FEATURES))


@claim("cfs-heuristic-worse-large", "Section 5.2, Table 7", tolerance=IN_GENERAL_WORSE, why=IN_GENERAL)
def cfs_heuristic_on_large(tables: Tables) -> Evidence:
    """Above 60 features in particular the heuristic for CFS scores worse than Algorithms 1 and 2."""
    return worse_in_general(tables, "table_7", [name for name, p in FEATURES.items() if p > LARGEST_SMALL])


def of_heuristic(tables: Tables, table: str) -> pd.DataFrame:
    """Return the rows of the heuristic on raw values for the measure of a printed table."""
    frame = tables["heuristics"]
    return frame[frame["measure"] == measure_of(table)]


def score_lead(exact: pd.Series, heuristic: pd.Series, classifier: str) -> Lead:
    """Return by how much one set scores better than another on one dataset, with the error of five folds each.

    The folds are the same, so the error of the paired difference is at most about that.
    """
    spread = f"{classifier.removesuffix('_mean')}_std"
    error = float(np.hypot(exact[spread], heuristic[spread]) / np.sqrt(FOLDS))
    return Lead(float(exact[classifier] - heuristic[classifier]), error, FOLDS)


def worse_in_general(tables: Tables, table: str, names: Sequence[str]) -> Evidence:
    """Return evidence that the heuristic scores worse than Algorithms 1 and 2 in the mean over datasets.

    One statement for each classifier. The sets of stopped runs count: a set of less time may be better than the
    heuristic's, but where it is worse that leaves it open.
    """
    rows, heuristic = tables[table], of_heuristic(tables, table)
    outcomes, texts, seen = [], [], 0
    for classifier in CLASSIFIERS:
        less = differences(rows, heuristic, classifier, names)
        if less.empty:
            continue
        lead, seen = lead_of(less), max(seen, len(less))
        used = rows["dataset"].isin(less.index) & rows["method"].isin(PARAMETRIC)
        open_ = lead.outcome is Outcome.DIFFERS and rows.loc[used, "outcome"].isin(STOPPED).any()
        outcomes.append(Outcome.INCONCLUSIVE if open_ else lead.outcome)
        texts.append(f"{SCORES[classifier.removesuffix('_mean')]}: {lead.mean:+.3f} ± {lead.error:.3f}")
    if 2 * seen < len(names):
        reason = because(
            f"{seen} of {len(names)} datasets have a set of the heuristic and one of an algorithm", SETS
        )
        return Evidence.missing(reason, len(CLASSIFIERS), "; ".join(texts))
    return Evidence.of_outcomes(
        outcomes,
        f"the algorithms less the heuristic over {seen} datasets, {'; '.join(texts)}",
        SETS,
        doubt=because(CHANCE, SETS_OF_LESS_TIME),
        inferred=SCORING,
        coverage=coverage(seen, len(names), repetitions=Share(FOLDS, FOLDS, "folds")),
    )


@claim("{key}", "Section 5.2, Table {n}", tolerance=DIGITS, why=PROSE, over=BETTER)
def better_algorithm(tables: Tables, table: str, better: str, other: str) -> Evidence:
    """For {measure} the sets of {better} score better than those of {other} more often than worse.

    Only the sets of runs that ended are compared. A dataset counts 1 for each classifier by which the first set scores
    better at the printed digits and -1 for each by which it scores worse; the datasets are the blocks.
    """
    ours, paper = ended(tables, table)
    order = ((better, other), (other, better))
    sides = [wins(frame, *pair) for frame in (ours, paper) for pair in order]
    cells = [name for name in sides[0] if name in sides[2]]
    stated = sum(sum(wins(printed_runs(table), *pair).values()) for pair in order)
    if not cells:
        return Evidence.missing("no dataset on which both algorithms ended", stated)
    won, lost, paper_won, paper_lost = (sum(side[name] for name in cells) for side in sides)
    leads = f"{better} better on {won} of {len(cells)} cells, {other} on {lost}"
    summary = f"{leads}; the paper {paper_won} and {paper_lost}"
    if won <= lost and paper_won <= paper_lost:
        reason = "on these cells the paper's numbers do not show it either"
        return Evidence.missing(because(reason, CLOCKED), stated, summary)
    signs = pd.Series({name: float(sides[0][name]) - float(sides[1][name]) for name in cells})
    outcome = lead_of(signs.groupby(lambda name: name.split(" (")[0]).mean()).outcome
    return Evidence.of_outcomes(
        [outcome] * (won + lost),
        summary,
        because(
            CLOCKED,
            f"so {stated - paper_won - paper_lost} of the {stated} cells that decide it in the paper are left out",
        ),
        stated=max(stated, won + lost),
        inferred=SCORING,
        coverage=cell_coverage(dict.fromkeys(cells)),
    )


@claim(
    "cfs-smaller",
    "Section 5.2",
    tolerance="two standard errors of the mean logarithm of the ratio over datasets",
    why=IN_GENERAL,
)
def cfs_sets_smaller(tables: Tables) -> Evidence:
    """CFS typically selects fewer features than mRMR does on the same dataset.

    Over the datasets whose sets are proved for both, by Algorithm 2 or, where it was stopped, by our method: which
    sets are within the tolerance is no matter of the program that finds one.
    """
    both = pd.concat(chosen_sizes(tables), axis="columns", join="inner")
    stated = len(FEATURES)
    if 2 * len(both) < stated:
        return Evidence.missing(f"{len(both)} of {stated} datasets have proved sets for both", stated)
    lead = lead_of(np.log(both["mrmr"].to_numpy() / both["cfs"].to_numpy()))
    fewer = int((both["cfs"] < both["mrmr"]).sum())
    return Evidence.of_outcomes(
        [lead.outcome],
        f"fewer on {fewer} of {len(both)} datasets, {np.exp(lead.mean):.1f} times fewer in the geometric mean; in the "
        f"paper on {sum(printed_smaller().values())} of {stated}",
        f"not on {named(both.index[both['cfs'] >= both['mrmr']])}" if fewer < len(both) else "",
        coverage=coverage(len(both), stated),
    )


def chosen_sizes(tables: Tables) -> dict[str, pd.Series]:
    """Return the sizes of sets within the tolerance by measure and dataset.

    They are those of Algorithm 2's runs that ended, else those of our proved sets.
    """
    beyond = tables.get("beyond", pd.DataFrame(columns=["dataset", "measure", "proved", "n_selected"]))
    chosen = {}
    for measure, table in (("mrmr", "table_6"), ("cfs", "table_7")):
        ours = beyond[(beyond["measure"] == measure) & (beyond["proved"] == 1)]
        rows = tables[table]
        theirs = rows[(rows["method"] == PARAMETRIC[1]) & (rows["outcome"] == PROVED)]
        sizes = [frame.set_index("dataset")["n_selected"].dropna() for frame in (theirs, ours)]
        chosen[measure] = sizes[0].combine_first(sizes[1]) if len(sizes[0]) else sizes[1]
    return chosen
