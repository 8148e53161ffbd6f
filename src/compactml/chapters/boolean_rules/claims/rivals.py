"""Claims that compare column generation (CG) with methods other than RIPPER in Table 1, by the paper's programs."""

from __future__ import annotations

from functools import partial

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    ORDER,
    PROSE,
    RULE,
    TIC_TAC_TOE,
    Tables,
)
from compactml.chapters.boolean_rules.claims.programs import (
    INFERRED_SETTINGS,
    LESS,
    NO_PROGRAM,
    NOT_RUN,
    OPEN,
    PORT_SETTINGS,
    RIVALS,
    SHARES,
    awaited,
    beside_print,
    coverage,
    folds_of,
    leads,
    spared,
)
from compactml.chapters.boolean_rules.datasets import PARTITION
from compactml.chapters.boolean_rules.methods import PAPER_CG, PROGRAM_OF, WITHOUT_PROGRAM
from compactml.chapters.boolean_rules.protocol import SHARES as SHARES_RUN
from compactml.study.judging.comparison import AGREEING
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.judging.noise import Outcome, lead_of

claim = partial(claim, NAME)


@claim("ahead-of-{rival}", "Section 4, Table 1", tolerance=ORDER, why=RULE, over=RIVALS)
def ahead_of_rival(tables: Tables, rival: str) -> Evidence:
    """Column generation is more accurate than {rival}.

    The mean difference over the datasets that both have. One on which the rival does not agree with its printed
    accuracy, or too noisily to tell, decides nothing, since its settings are inferred. Where that leaves less than half
    of the datasets, what is planned decides nothing.
    """
    if rival in WITHOUT_PROGRAM:
        return Evidence.missing(NO_PROGRAM)
    return _ahead_of(tables, rival, PORT_SETTINGS)


@claim("ahead-on-large-{rival}", "Section 4, Table 1", tolerance=ORDER, why=RULE, over=RIVALS)
def ahead_on_large(tables: Tables, rival: str) -> Evidence:
    """Column generation is ahead of {rival} especially on larger datasets."""
    return Evidence.missing(
        NO_PROGRAM if rival in WITHOUT_PROGRAM else "the port of BRS would take hours on a large dataset"
    )


@claim("cart-behind", "Section 4, Table 1", tolerance=ORDER, why=RULE)
def ahead_of_trees(tables: Tables) -> Evidence:
    """Classification trees (CART) are less accurate than column generation.

    The mean difference over the datasets that both have. One on which the trees do not agree with their printed
    accuracy, or too noisily to tell, decides nothing, since their settings are inferred. Where that leaves less than
    half of the datasets, what is planned decides nothing.
    """
    return _ahead_of(tables, "CART", SHARES)


def _ahead_of(tables: Tables, rival: str, inferred: str) -> Evidence:
    """The mean lead of CG over the datasets that both have, each of which carries the outcome: few decide nothing."""
    program = PROGRAM_OF[rival]
    every_lead = leads(tables, PAPER_CG, program)
    cells = beside_print(tables, "table_1", rival)
    as_printed = set(cells.loc[cells["verdict"].isin(AGREEING), "dataset"])
    few = f"{program} is as printed on {len(as_printed)} datasets, so that what is planned decides nothing"
    if not every_lead:
        waiting = f"CG by the paper's procedure beside {program}: still to be recorded"
        return Evidence.missing(
            because(waiting, few if 2 * len(as_printed) < len(PARTITION) else ""), len(PARTITION)
        )
    fair = [every_lead[name] for name in every_lead if name in as_printed]
    weak = sorted(set(every_lead) - as_printed)
    outcomes, summary = [Outcome.INCONCLUSIVE] * len(weak), ""
    if fair:
        lead, won = lead_of([one.mean for one in fair]), [one.outcome for one in fair]
        outcomes += [spared(lead.outcome)] * lead.blocks
        summary = (
            f"{lead.shown(2)} points over {lead.blocks} datasets beside {program}; ahead beyond errors "
            f"on {won.count(Outcome.AGREES)}, behind on {won.count(Outcome.DIFFERS)}"
        )
    return Evidence.of_outcomes(
        outcomes,
        summary,
        because(
            lacking(len(every_lead), len(PARTITION), NOT_RUN),
            f"{program} differs from its printed accuracy, or its error is too large to tell, on {', '.join(weak)}"
            if weak
            else "",
            few if 2 * len(as_printed) < len(PARTITION) else "",
        ),
        stated=len(PARTITION),
        doubt=OPEN,
        inferred=inferred,
        coverage=coverage(tables, (PAPER_CG, program), len(PARTITION)),
    )


@claim("tic-tac-toe-only-cg", "Section 4", tolerance="exact, method by method", why=PROSE)
def only_cg_solves_tic_tac_toe(tables: Tables) -> Evidence:
    """No method but column generation is always right on tic-tac-toe, random forests included.

    Each other method is a cell: on the folds of column generation that reaches 100 %, and the other does not. One whose
    settings we had to infer decides nothing, so that runs can refute this and not confirm it.
    """
    rows = folds_of(tables).query(f"chosen == 1 and dataset == '{TIC_TAC_TOE}'")
    rows = rows[rows["fold"].isin(rows.loc[rows["method"] == PAPER_CG, "fold"])]
    least = rows.groupby("method")["accuracy"].min()
    others = [program for program in PROGRAM_OF.values() if program in least.index and program != PAPER_CG]
    stated_cells = len(PROGRAM_OF) - 1 + len(WITHOUT_PROGRAM)
    if PAPER_CG not in least.index or not others:
        return awaited("CG by the paper's procedure beside another program", stated_cells)
    right = bool(least[PAPER_CG] == 100)
    means = rows.groupby("method")["accuracy"].mean()
    inferred = {PROGRAM_OF[name] for name in INFERRED_SETTINGS}
    outcomes = [
        Outcome.INCONCLUSIVE
        if not right or name in inferred
        else Outcome.AGREES
        if least[name] < 100
        else Outcome.DIFFERS
        for name in others
    ]
    return Evidence.of_outcomes(
        outcomes,
        ", ".join(f"{name} {means[name]:.1f}" for name in (PAPER_CG, *others)),
        f"{NO_PROGRAM}; trees and forests have a leaf of {min(SHARES_RUN):.0%} of the rows at least, our choice",
        stated=stated_cells,
        doubt=f"{LESS}; or settings that are inferred: {PORT_SETTINGS}; {SHARES}",
        coverage=coverage(tables, (PAPER_CG, *others), 1, (TIC_TAC_TOE,)),
    )
