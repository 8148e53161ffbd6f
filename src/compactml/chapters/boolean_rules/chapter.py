"""The chapter on Boolean decision rules: what it runs, shows and claims."""

from __future__ import annotations

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims import (
    against_ripper,
    errata,
    fico,
    files,
    findings,
    large,
    printed,
    proofs,
    rivals,
    trade_off,
)
from compactml.chapters.boolean_rules.claims import tables as table_claims
from compactml.chapters.boolean_rules.opening import panels
from compactml.chapters.boolean_rules.tables import TABLES
from compactml.chapters.boolean_rules.trials import (
    aix360,
    beyond,
    brs,
    engines,
    growth,
    opinions,
    our_cg,
    paper,
    paper_cg,
    paper_optima,
    readings,
    ripper,
    scikit,
)
from compactml.chapters.boolean_rules.words import HEADS, WORDS
from compactml.study.chapter import Chapter
from compactml.study.judging.declaring import declared

CHAPTER = Chapter(
    name=NAME,
    place=2,
    title="Boolean decision rules (Dash, Günlük and Wei)",
    citation="dash2018boolean",
    kinds=(
        paper.NESTED,
        paper.NESTED_OTHERS,
        paper.TRADE_OFF,
        paper.TRADE_OFF_OTHERS,
        paper.FICO_RULE,
        beyond.OPTIMUM,
        readings.LIVER_READING,
        readings.FICO_CUTS,
        engines.ENGINE,
        growth.GROWTH,
        aix360.AIX360,
        ripper.RIPPER,
        brs.BRS,
        scikit.SCIKIT,
        paper_cg.PAPER_CG_KIND,
        paper_optima.PAPER_OPTIMUM,
        our_cg.OUR_CG_KIND,
        opinions.OPINION,
    ),
    tables=TABLES,
    claims=declared(
        table_claims,
        trade_off,
        rivals,
        against_ripper,
        proofs,
        large,
        fico,
        printed,
        errata,
        files,
        findings,
    ),
    opinion=opinions.opinion,
    opening=panels,
    heads=HEADS,
    words=WORDS,
)
