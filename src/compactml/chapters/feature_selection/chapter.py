"""The chapter on feature selection by fractional 0-1 programming: what it runs, shows and claims."""

from __future__ import annotations

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.claims import (
    algorithms,
    errata,
    findings,
    printed,
    programs,
    scores,
    sets,
    variants,
)
from compactml.chapters.feature_selection.opening import panels
from compactml.chapters.feature_selection.tables import TABLES
from compactml.chapters.feature_selection.trials import (
    beyond,
    heuristics,
    opinions,
    optima,
    paper,
    readings,
    scikit_feature,
    sizes,
)
from compactml.chapters.feature_selection.words import HEADS, WORDS
from compactml.study.chapter import Chapter
from compactml.study.judging.declaring import declared

CHAPTER = Chapter(
    name=NAME,
    place=3,
    title="Fractional feature selection (Mehmanchi, Gómez and Prokopyev)",
    citation="mehmanchi2021solving",
    kinds=(
        paper.MILP,
        paper.PARAMETRIC,
        paper.FULL,
        heuristics.RAW_HEURISTIC,
        scikit_feature.SCIKIT_FEATURE,
        optima.OPTIMUM,
        sizes.SIZES,
        beyond.CERTIFIED,
        beyond.GROWTH,
        readings.READING,
        opinions.OPINION,
    ),
    tables=TABLES,
    claims=declared(programs, algorithms, sets, scores, variants, errata, printed, findings),
    opinion=opinions.opinion,
    opening=panels,
    heads=HEADS,
    words=WORDS,
)
