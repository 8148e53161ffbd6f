"""The chapter on Pace: what it runs, shows and claims."""

from __future__ import annotations

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.declared import CLAIMS
from compactml.chapters.pace.opening import panels
from compactml.chapters.pace.tables import TABLES
from compactml.chapters.pace.trials import beyond, fipepy, merging, opinions, paper, refitting, separation
from compactml.study.chapter import Chapter

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
        fipepy.FIPEPY,
        opinions.OPINION,
    ),
    tables=TABLES,
    claims=CLAIMS,
    opinion=opinions.opinion,
    opening=panels,
)
