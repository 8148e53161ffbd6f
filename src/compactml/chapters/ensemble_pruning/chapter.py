"""The chapter on pruning ensembles: what it runs, shows and claims."""

from __future__ import annotations

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims import (
    accuracy,
    balance,
    datasets,
    errata,
    findings,
    formulas,
    gaps,
    printed,
    printed_orders,
    solutions,
)
from compactml.chapters.ensemble_pruning.opening import panels
from compactml.chapters.ensemble_pruning.tables import TABLES
from compactml.chapters.ensemble_pruning.trials import baselines, beyond, opinions, paper, plain
from compactml.chapters.ensemble_pruning.words import HEADS, WORDS
from compactml.study.chapter import Chapter
from compactml.study.judging.declaring import declared

CHAPTER = Chapter(
    name=NAME,
    place=4,
    title="Ensemble pruning (Bastos, Brandão and Valle)",
    citation="bastos2024ensemble",
    kinds=(
        paper.DATASET,
        paper.PROGRAM,
        plain.PLAIN,
        baselines.BASELINE,
        beyond.BOUNDS,
        beyond.CURVE,
        opinions.OPINION,
    ),
    tables=TABLES,
    claims=declared(
        datasets, gaps, solutions, accuracy, balance, printed, printed_orders, formulas, errata, findings
    ),
    opinion=opinions.opinion,
    opening=panels,
    heads=HEADS,
    words=WORDS,
)
