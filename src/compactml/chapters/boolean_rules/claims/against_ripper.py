"""Claims that compare column generation (CG) with RIPPER in Tables 1 and 2, by the paper's programs."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.stats import binom, t

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    AGAINST_RIPPER,
    ORDER,
    RULE,
    SIMPLER,
    Tables,
    shorter_and_near,
    stated,
    within_printed_errors,
)
from compactml.chapters.boolean_rules.claims.programs import (
    LESS,
    NOT_RUN,
    OPEN,
    OUR_CHOICE_OF_C,
    awaited,
    coverage,
    folds_of,
    in_words,
    kept_short,
    leads,
    named,
    over_datasets,
    spared,
)
from compactml.chapters.boolean_rules.datasets import LARGE, PARTITION
from compactml.chapters.boolean_rules.methods import JRIP, PAPER_CG
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.judging.noise import STANDARD_ERRORS, Outcome, every

claim = partial(claim, NAME)

BOTH = (PAPER_CG, JRIP)
AWAITED = "CG by the paper's procedure beside WEKA's RIPPER"
RARE = 0.05
"""Probability below which chance explains no number of datasets."""
ROUNDED = 0.5
"""A difference stated in whole points is at least half a point less."""
OUR_ROUNDING = f"{RULE}; the half point is ours"


@claim("never-below-ripper", "Section 4", tolerance=ORDER, why=RULE)
def never_far_below_ripper(tables: Tables) -> Evidence:
    """Column generation is nowhere less accurate than RIPPER by more than 1 point.

    A dataset agrees if its mean difference lies above -1 by more than two standard errors. One that lies below by more
    than that leaves the whole claim open, since it speaks of all.
    """
    lead = leads(tables, *BOTH)
    total, most = int(stated("datasets")), stated("cg_below_ripper_at_most")
    if not lead:
        return awaited(AWAITED, total)
    strict = [name for name, one in lead.items() if one.mean < -most]
    outcomes = [one.above(-most) for one in lead.values()]
    if Outcome.DIFFERS in outcomes:
        outcomes = [Outcome.INCONCLUSIVE] * len(outcomes)
    return Evidence.of_outcomes(
        outcomes,
        f"differences of CG: {named(lead)}",
        because(
            lacking(len(lead), total, NOT_RUN),
            f"more than stated below, errors aside: {', '.join(strict) or 'none'}",
        ),
        stated=total,
        doubt=OPEN,
        inferred=OUR_CHOICE_OF_C,
        coverage=coverage(tables, BOTH, total),
    )


@claim("ripper-worse", "Section 4", tolerance="about 2 points or more: 1.5", why=OUR_ROUNDING)
def ripper_worse(tables: Tables) -> Evidence:
    """RIPPER is worse than column generation by about 2 points on ionosphere, liver and tic-tac-toe.

    Our copy of the text says "by 2%" and has lost signs elsewhere, so that there may be one of "more than" before the
    2: a larger difference agrees as well. A dataset agrees if the difference lies above 1.5 points by more than two
    standard errors. Beside it stands what the errors printed with the cells say of the printed difference.
    """
    every_lead = leads(tables, *BOTH)
    lead = {name: every_lead[name] for name in every_lead if name in AGAINST_RIPPER}
    if not lead:
        return awaited(AWAITED, len(AGAINST_RIPPER))
    least = stated("ripper_worse_by") - ROUNDED
    return Evidence.of_outcomes(
        [spared(one.above(least)) for one in lead.values()],
        f"differences of CG: {named(lead)}",
        f"of the printed differences those on {', '.join(within_printed_errors(AGAINST_RIPPER))} lie within two of "
        "the errors printed with them",
        stated=len(AGAINST_RIPPER),
        doubt=OPEN,
        inferred=OUR_CHOICE_OF_C,
        coverage=coverage(tables, BOTH, len(AGAINST_RIPPER), AGAINST_RIPPER),
    )


@claim("head-to-head", "Section 4", tolerance=ORDER, why=RULE)
def head_to_head(tables: Tables) -> Evidence:
    """Wins and losses of column generation against RIPPER over the datasets are nearly even.

    With all the paper's time column generation may lead or fall behind, so that a run of ours decides nothing.
    """
    lead = over_datasets(tables, *BOTH)
    if lead is None:
        return awaited(AWAITED, len(PARTITION))
    each = leads(tables, *BOTH).values()
    won, lost = (sum(sign * one.mean > 0 for one in each) for sign in (1, -1))
    return Evidence.of_outcomes(
        [Outcome.INCONCLUSIVE] * lead.blocks,
        f"{lead.shown(2)} points over {lead.blocks} datasets; {won} wins, "
        f"{lead.blocks - won - lost} ties, {lost} losses",
        stated=len(PARTITION),
        doubt=f"{LESS}: with all the paper's time it may lead or fall behind",
        coverage=coverage(tables, BOTH, len(PARTITION)),
    )


@claim("simpler-than-ripper", "Section 4", tolerance=ORDER, why=RULE)
def simpler_than_ripper(tables: Tables) -> Evidence:
    """On bank-mkt, magic and FICO column generation is simpler than RIPPER and nearly as accurate.

    Simpler by more than two standard errors, and less than a point behind; a dataset on which our largest C keeps CG's
    rules short decides nothing.
    """
    every_size = leads(tables, JRIP, PAPER_CG, "complexity")
    size = {name: every_size[name] for name in every_size if name in SIMPLER}
    if not size:
        return awaited(AWAITED, len(SIMPLER))
    accuracy = leads(tables, *BOTH)
    most, kept = stated("cg_below_ripper_at_most"), kept_short(tables)
    return Evidence.of_outcomes(
        [
            Outcome.INCONCLUSIVE
            if name in kept
            else spared(every([one.outcome, accuracy[name].above(-most)]))
            for name, one in size.items()
        ],
        f"RIPPER's rules are longer by {named(size)}; CG's accuracy "
        + named({name: accuracy[name] for name in size}),
        because(lacking(len(size), len(SIMPLER), NOT_RUN), in_words(kept & set(size))),
        stated=len(SIMPLER),
        doubt=OPEN,
        inferred=OUR_CHOICE_OF_C,
        coverage=coverage(tables, BOTH, len(SIMPLER), SIMPLER),
    )


@claim(
    "no-less-accurate", "Abstract", tolerance=f"{ORDER}; at most half a point less accurate", why=OUR_ROUNDING
)
def no_less_accurate(tables: Tables) -> Evidence:
    """Column generation is sometimes significantly simpler than RIPPER and no less accurate.

    On more datasets than chance alone would give: simpler beyond two standard errors, and half a point behind at most,
    beyond them too. A dataset on which our largest C keeps CG's rules short decides nothing.
    """
    size, accuracy = leads(tables, JRIP, PAPER_CG, "complexity"), leads(tables, *BOTH)
    if not size:
        return awaited(AWAITED, len(PARTITION))
    kept = kept_short(tables)
    so = [
        name
        for name, one in size.items()
        if name not in kept and every([one.outcome, accuracy[name].above(-ROUNDED)]) is Outcome.AGREES
    ]
    least = _beyond_chance(min(one.blocks for one in size.values()), len(size))
    return Evidence.of_outcomes(
        [Outcome.AGREES if len(so) >= least else Outcome.INCONCLUSIVE] * len(size),
        f"so on {len(so)} of {len(size)} datasets, where chance explains {least - 1}"
        + (f": {', '.join(so)}" if so else ""),
        because(lacking(len(size), len(PARTITION), NOT_RUN), in_words(kept & set(size))),
        stated=len(PARTITION),
        doubt=OPEN,
        inferred=OUR_CHOICE_OF_C,
        coverage=coverage(tables, BOTH, len(PARTITION)),
    )


def _beyond_chance(folds: int, datasets: int) -> int:
    """Fewest datasets, two at least, that chance takes beyond two errors of so few folds one time in 20 or rarer."""
    chance = t.sf(STANDARD_ERRORS, folds - 1) if folds > 1 else 1.0
    return max(2, int(binom.isf(RARE, datasets, chance)) + 1)


@claim("simpler-on-larger", "Section 4", tolerance=ORDER, why=RULE)
def simpler_on_larger(tables: Tables) -> Evidence:
    """On larger datasets column generation learns significantly simpler rule sets than RIPPER, about as accurate.

    The mean over the large datasets of the difference of logarithms of one more than RIPPER's and CG's complexity; and
    that of the accuracies, which lies above -1 point. Without the second less time, which leaves fewer clauses, would
    confirm the first. Each dataset carries the outcome but those on which our largest C keeps CG's rules short.
    """
    rows = folds_of(tables).query("chosen == 1")
    rows = rows[rows["dataset"].map(PARTITION) == LARGE].assign(
        complexity=lambda frame: np.log(frame["complexity"] + 1)
    )
    large = tuple(name for name, part in PARTITION.items() if part == LARGE)
    kept = kept_short(tables) & set(large)
    free = {"programs": rows[~rows["dataset"].isin(kept)]}
    lead, accuracy = over_datasets(free, JRIP, PAPER_CG, "complexity"), over_datasets(free, *BOTH)
    outcomes, lengths = [Outcome.INCONCLUSIVE] * len(kept), ""
    if lead is not None and accuracy is not None:
        outcome, lengths = shorter_and_near(lead, accuracy)
        outcomes += [spared(outcome)] * lead.blocks
    if not outcomes:
        return awaited(AWAITED, len(large))
    return Evidence.of_outcomes(
        outcomes,
        lengths,
        in_words(kept),
        stated=len(large),
        doubt=OPEN,
        inferred=OUR_CHOICE_OF_C,
        coverage=coverage(tables, BOTH, len(large), large),
    )
