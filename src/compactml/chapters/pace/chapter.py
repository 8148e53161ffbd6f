"""The chapter on Pace: what it runs, shows and claims."""

from __future__ import annotations

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims import (
    datasets,
    errata,
    findings,
    generation,
    printed,
    regions,
    sizes,
    whole_space,
)
from compactml.chapters.pace.claims import separation as separation_claims
from compactml.chapters.pace.opening import panels
from compactml.chapters.pace.tables import TABLES
from compactml.chapters.pace.trials import (
    beyond,
    fipepy,
    merging,
    opinions,
    paper,
    readings,
    refitting,
    scale,
    separation,
)
from compactml.chapters.pace.words import HEADS, WORDS
from compactml.study.chapter import Chapter
from compactml.study.judging.declaring import declared

CHAPTER = Chapter(
    name=NAME,
    place=5,
    title="Prune and compress with certificates (Akkerman, Ferry, Guyard and Vidal)",
    citation="akkerman2026pace",
    kinds=(
        paper.DATASET,
        paper.COMPRESS,
        paper.FIPE_KIND,
        separation.FAITHFUL,
        separation.ENGINES_KIND,
        beyond.HISTORY,
        beyond.PRICING,
        beyond.RECHECK,
        merging.MERGE,
        refitting.REFIT,
        scale.SCALE,
        readings.READING,
        readings.SIZED,
        fipepy.FIPEPY,
        opinions.OPINION,
    ),
    tables=TABLES,
    claims=declared(
        datasets, separation_claims, sizes, whole_space, regions, generation, printed, errata, findings
    ),
    opinion=opinions.opinion,
    opening=panels,
    heads=HEADS,
    words=WORDS,
)
