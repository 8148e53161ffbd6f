"""The chapter on sharing branching conditions: what it runs, shows and claims.

No trial here asks for a second opinion: none solves a program by a solver, and no result has a bound or says that its
value is proved. The tables print how many conditions are left (columns NDC), and do not call that number smallest. The
points of the trials "search" are counted in the same trial by two exact algorithms, ours and the paper's dynamic
program, and the tables compare them; the clusterings of "baseline" are exact by a dynamic program of their own and are
compared with ten starts of Lloyd's algorithm.
"""

from __future__ import annotations

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.claims import curves, findings, printed, relaxations
from compactml.chapters.condition_sharing.claims import tables as table_claims
from compactml.chapters.condition_sharing.opening import panels
from compactml.chapters.condition_sharing.tables import TABLES
from compactml.chapters.condition_sharing.trials import beyond, older, paper, relaxing
from compactml.chapters.condition_sharing.words import HEADS, WORDS
from compactml.study.chapter import Chapter
from compactml.study.judging.declaring import declared

CHAPTER = Chapter(
    name=NAME,
    place=1,
    title="Sharing branching conditions (Nakamura and Sakurada)",
    citation="nakamura2022simplification",
    kinds=(
        paper.SHARING,
        relaxing.RELAXATION,
        beyond.SPEED,
        beyond.GROWTH,
        beyond.EVALUATOR,
        beyond.TRADEOFF,
        beyond.SEARCH,
        beyond.BASELINE,
        older.SHARING_LATEST,
        older.SHARING_NEAREST,
        older.ROUNDING,
    ),
    tables=TABLES,
    claims=declared(table_claims, curves, relaxations, printed, findings),
    opening=panels,
    heads=HEADS,
    words=WORDS,
)
