"""Statements that the paper's own numbers decide: its tables, its example, and a bound on the size of a tree."""

from __future__ import annotations

from functools import partial

import numpy as np

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.claims.common import PROSE_DIGIT, Tables, values
from compactml.chapters.condition_sharing.datasets import DATASETS
from compactml.chapters.condition_sharing.trials.paper import LEARNERS, N_FOLDS
from compactml.condition_sharing.example import BOOTSTRAP, LABELS, figure_1
from compactml.condition_sharing.gini import best_splits, split_impurity
from compactml.condition_sharing.sharing import share_conditions
from compactml.forests import fitted_trees
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence
from compactml.study.recording.published import published

claim = partial(claim, NAME)

ARITHMETIC = "arithmetic"
RNA_SEQ = "RNA-Seq PANCAN"
MEDIANS = {
    ("table_2", "RF", "SR"): 0.181,
    ("table_2", "ERT", "SR"): 0.021,
    ("table_2", "ABoost", "SR"): 0.459,
    ("table_2", "GBoost", "SR"): 0.859,
    ("table_3", "RF", "SR_tree_over_all"): 0.952,
    ("table_3", "ERT", "SR_tree_over_all"): 0.857,
}
"""Of the abstract and of Sections 6.2.1 and 6.2.2."""


@claim("remark-1", "Remark 1", tolerance="exact", why=ARITHMETIC, basis=Basis.ARITHMETIC)
def example_comes_from_cart(tables: Tables) -> Evidence:
    """CART can grow both trees of Fig 1 from two bootstrap samples, and sharing keeps the Gini impurity of each node.

    Every condition of the trees must be among those of least impurity, and the shared one of equal impurity.
    """
    forest, X = figure_1()
    shared = share_conditions(forest, X).ensemble_
    best, equal = [], []
    for tree, changed, rows in zip(fitted_trees(forest), fitted_trees(shared), BOOTSTRAP, strict=True):
        reached = tree.decision_path(X[rows].astype(np.float32)).toarray().astype(bool)
        for node in np.flatnonzero(tree.feature >= 0):
            here = np.asarray(rows)[reached[:, node]]
            split = X[here], LABELS[here], int(tree.feature[node])
            best.append((split[2], float(tree.threshold[node])) in best_splits(*split[:2]))
            old, new = (split_impurity(*split, float(one.threshold[node])) for one in (tree, changed))
            equal.append(old == new)
    return Evidence.of_cells(
        [*best, *equal],
        f"{sum(best)} of {len(best)} conditions are best splits, {sum(equal)} keep their impurity",
    )


@claim("printed-medians", "Section 6.2", tolerance="0.05 %", why=PROSE_DIGIT, basis=Basis.ARITHMETIC)
def medians_are_those_of_the_tables(tables: Tables) -> Evidence:
    """The medians of the abstract and of the prose are those of Tables 2 and 3."""
    printed = {cell: values(published(NAME, cell[0]), *cell[1:]).median() for cell in MEDIANS}
    return Evidence.of_cells(
        [abs(printed[cell] - stated) <= 0.0005 for cell, stated in MEDIANS.items()],
        ", ".join(f"{learner} {value:.1%}" for (_, learner, _), value in printed.items()),
    )


@claim("rna-seq-others", "Section 6.2.1", tolerance="exact", why=ARITHMETIC, basis=Basis.ARITHMETIC)
def others_are_worse_on_rna_seq(tables: Tables) -> Evidence:
    """On RNA-Seq the other three learners keep an even larger share of their conditions than extra trees."""
    ratios = {learner: values(published(NAME, "table_2"), learner, "SR")[RNA_SEQ] for learner in LEARNERS}
    return Evidence.of_cells(
        [ratio > ratios["ERT"] for learner, ratio in ratios.items() if learner != "ERT"],
        ", ".join(f"{learner} {ratio:.1%}" for learner, ratio in ratios.items()),
    )


@claim("rna-seq-features", "Section 6.2.1", tolerance="exact", why=ARITHMETIC, basis=Basis.ARITHMETIC)
def rna_seq_has_many_features(tables: Tables) -> Evidence:
    """RNA-Seq has more than 30 times as many features as training rows, and a tree tests under a tenth of them.

    A tree with a row in every leaf has fewer inner nodes than rows, and tests no more features than that.
    """
    dataset = next(one for one in DATASETS if one.name == RNA_SEQ)
    rows = int(np.ceil(dataset.n * (N_FOLDS - 1) / N_FOLDS))
    return Evidence.of_cells(
        [dataset.d > 30 * rows, rows - 1 < dataset.d / 10],
        f"{dataset.d:,} features, {rows} training rows: {dataset.d / rows:.1f} times as many, "
        f"at most {rows - 1} in a tree",
    )


@claim("sizes-of-data", "Section 6.1", tolerance="exact", why=ARITHMETIC, basis=Basis.ARITHMETIC)
def sizes_of_the_data(tables: Tables) -> Evidence:
    """HEPMASS has the most rows, and only RNA-Seq has more features than rows."""
    largest = max(DATASETS, key=lambda dataset: dataset.n).name
    wide = [dataset.name for dataset in DATASETS if dataset.d > dataset.n]
    return Evidence.of_cells(
        [largest == "hepmass", wide == [RNA_SEQ]], f"largest: {largest}; wider than long: {', '.join(wide)}"
    )


@claim("eleven-labels", "Section 6.1", tolerance="exact", why="the files", basis=Basis.ERRATUM)
def wines_have_eleven_labels(tables: Tables) -> Evidence:
    """The two wine datasets have the most distinct labels, eleven."""
    sizes = tables["table_1"]
    if "n_classes_here" not in sizes:
        return Evidence.missing("the classes of the files are still to be recorded", stated=2)
    classes = sizes.set_index("dataset")["n_classes_here"].dropna().astype(int)
    wines = classes[classes.index.str.startswith("winequality")]
    if wines.empty:
        return Evidence.missing("the wine data are not at hand", stated=2)
    counted = ", ".join(f"{name} {count}" for name, count in wines.items())
    return Evidence.of_cells(
        wines == 11,
        counted,
        f"grades run from 0 to 10, but not all occur; the largest count of any dataset at hand is {classes.max()}",
        stated=2,
    )
