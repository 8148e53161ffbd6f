"""Claims on the scores of all features and on the sizes of the sets that are proved best."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.claims.common import (
    EXACTLY,
    FEATURES,
    Answer,
    Tables,
    coverage,
    named,
    of_each,
)
from compactml.chapters.feature_selection.claims.scored import SCORING
from compactml.chapters.feature_selection.judging import CHOSEN_BY_SIZES
from compactml.chapters.feature_selection.printed import EXACT, FOLDS, RUN, printed_runs
from compactml.chapters.feature_selection.trials.solving import PROVED
from compactml.study.judging.comparison import same_digits
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, Share, because
from compactml.study.judging.noise import Outcome, within_two_errors

claim = partial(claim, NAME)

SCORED = {
    classifier: {"name": name, "column": f"{classifier}_mean"}
    for classifier, name in (("f1_nb", "Naive Bayes F1"), ("f1_rf", "Random forest F1"))
}
PROVED_SETS = {
    "mRMR": {"table": "table_6", "gap_table": "table_3", "n": 6},
    "CFS": {"table": "table_7", "gap_table": "table_4", "n": 7},
}
CHOSE = "the reading was chosen by these sizes"


@claim(
    "full-set-{key}",
    "Table 5",
    tolerance="two standard errors of the difference over five folds",
    why="folds, seeds and the release of scikit-learn differ",
    over=SCORED,
)
def full_set(tables: Tables, column: str) -> Evidence:
    """{name} scores of all features on 25 datasets (Table 5).

    No solver has a part in them. They chose the settings of the classifiers, so none of them counts as agreeing.
    """
    spread = f"{column.removesuffix('_mean')}_std"
    ours, paper = (
        frame.query("method == 'full set'").set_index("dataset")[[column, spread]]
        for frame in (tables["table_5"], printed_runs("table_5"))
    )
    pairs = ours.join(paper, lsuffix="_ours", rsuffix="_paper", how="inner").dropna(
        subset=[f"{column}_ours", f"{column}_paper"]
    )
    mine, theirs = pairs[f"{column}_ours"], pairs[f"{column}_paper"]
    error = (np.hypot(pairs[f"{spread}_ours"], pairs[f"{spread}_paper"]) / np.sqrt(FOLDS)).fillna(np.inf)
    exact = np.array(
        [same_digits(score, f"{text:.2f}") for score, text in zip(mine, theirs, strict=True)],
        bool,
    )
    near = exact | within_two_errors(mine - theirs, error)
    outcomes = [Outcome.INCONCLUSIVE if close else Outcome.DIFFERS for close in near]
    wrong = [name for name, found in zip(pairs.index, outcomes, strict=True) if found is Outcome.DIFFERS]
    return Evidence.of_outcomes(
        outcomes,
        f"{near.sum()} of {len(near)} scores within two standard errors, {exact.sum()} equal in every digit",
        because(
            f"not on {named(wrong)}" if wrong else "",
            f"{len(FEATURES) - len(near)} datasets not run" if len(near) < len(FEATURES) else "",
        ),
        stated=len(FEATURES),
        doubt="the settings were chosen by these scores",
        inferred=SCORING,
        coverage=coverage(len(near), len(FEATURES), repetitions=Share(FOLDS, FOLDS, "folds")),
    )


@claim(
    "sizes-{key}",
    "Table {n}",
    tolerance=EXACTLY,
    why="sets within 1 % of the optimum may differ in size",
    over=PROVED_SETS,
)
def sizes(tables: Tables, table: str, gap_table: str) -> Evidence:
    """Sizes of the sets that the paper's methods prove best for {key} (Table {n}).

    The sets that the paper proves are compared where ours are proved: both are within the tolerance. Two sets
    within 1 % of the optimum need not have one size, so a size that differs refutes nothing. Nor does a size speak for
    a reading that was chosen by it.
    """
    gaps, own_runs = printed_runs(gap_table), tables[table]
    solved = gaps.loc[(gaps["outcome"] == PROVED) & gaps["method"].isin(EXACT), RUN]
    our_sizes = own_runs[own_runs["outcome"] == PROVED].set_index(RUN)["n_selected"]
    paper = printed_runs(table).merge(solved).set_index(RUN)["n_selected"].dropna()
    pairs = pd.concat([our_sizes, paper], axis="columns", keys=["ours", "paper"], join="inner").dropna()
    if pairs.empty:
        return Evidence.missing("no run that both prove", max(1, len(paper)))
    other = "sets within the tolerance of 1 % need not have one size"
    equal = pairs["ours"] == pairs["paper"]
    answers: dict[str, Answer] = {
        " ".join(run): CHOSE if run[0] in CHOSEN_BY_SIZES else bool(same) or other
        for run, same in zip(pairs.index, equal, strict=True)
    }
    chosen = equal[equal.index.get_level_values("dataset").isin(CHOSEN_BY_SIZES)]
    inferred = f", {chosen.sum()} of them on a reading that was chosen by its sizes" if chosen.any() else ""
    return of_each(
        answers,
        len(paper),
        f"{equal.sum()} of {len(answers)} sizes are equal{inferred}",
        what="sets",
        coverage=coverage(pairs.index.get_level_values("dataset").nunique(), len(FEATURES), own_runs),
    )
