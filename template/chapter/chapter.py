"""A sixth paper: what it runs, shows and claims."""

from __future__ import annotations

from compactml.chapters.sixth_paper import NAME, trials
from compactml.chapters.sixth_paper.claims import statements
from compactml.chapters.sixth_paper.tables import TABLES
from compactml.study.chapter import Chapter, kinds_in
from compactml.study.judging.declaring import declared

CHAPTER = Chapter(
    name=NAME,
    place=6,
    title="A sixth paper (Author and Author)",
    citation="author2026sixth",
    kinds=kinds_in(trials),
    tables=TABLES,
    claims=declared(statements),
)
