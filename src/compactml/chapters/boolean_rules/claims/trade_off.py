"""Claims on Fig 1: complexity against accuracy, by the programs that the paper ran."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    ERRORS,
    HEART,
    ORDER,
    OTHER_FOLDS,
    RULE,
    WORDS,
    Tables,
    stated,
)
from compactml.chapters.boolean_rules.claims.programs import (
    LESS,
    NO_PROGRAM,
    NOT_RUN,
    OPEN_IN_FIGURE,
    PORT_SETTINGS,
    RIVALS,
    SECOND_PASS,
    SHOWN_WITHIN,
    awaited,
    coverage,
    folds_of,
    spared,
)
from compactml.chapters.boolean_rules.datasets import PARTITION
from compactml.chapters.boolean_rules.fold_rows import points
from compactml.chapters.boolean_rules.fronts import dominates
from compactml.chapters.boolean_rules.methods import PAPER_CG, PORT, WITHOUT_PROGRAM
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.judging.noise import Lead, Outcome, lead_of, small_error, within_two_errors

claim = partial(claim, NAME)

CLUSTER = 2.0
"""Factor between the largest and the smallest mean complexity that counts as a narrow range."""
TOGETHER = "CG by the paper's procedure beside the port of BRS"
NO_GAS = "no data of gas are at hand: how its six classes became two is not said"


def _fronts(tables: Tables, method: str, rival: str) -> dict[str, Outcome]:
    """Whether a method dominates a rival, by dataset."""
    folds = folds_of(tables)
    fronts = {name: dominates(folds[folds["dataset"] == name], method, rival) for name in PARTITION}
    return {name: outcome for name, outcome in fronts.items() if outcome is not None}


def _words(fronts: dict[str, Outcome]) -> str:
    counts = {one: sum(outcome is one for outcome in fronts.values()) for one in Outcome}
    return (
        f"beyond errors on {counts[Outcome.AGREES]} of {len(fronts)} datasets, not on {counts[Outcome.DIFFERS]}, "
        f"within errors on {counts[Outcome.INCONCLUSIVE]}"
    )


@claim("cg-dominates-{rival}", "Abstract, Fig 1", tolerance=ORDER, why=RULE, over=RIVALS)
def dominated_datasets(tables: Tables, rival: str) -> Evidence:
    """Column generation trades accuracy for simplicity better than {rival} on 8 of 16 datasets at least.

    The paper says so of three rivals at once. CG's front lies above all Pareto-optimal points of the rival. The port of
    BRS is planned on the nine small datasets only, so that eight are hardly reached.
    """
    if rival in WITHOUT_PROGRAM:
        return Evidence.missing(NO_PROGRAM)
    fronts = _fronts(tables, PAPER_CG, PORT)
    if not fronts:
        return awaited(TOGETHER, len(PARTITION))
    sure = sum(outcome is Outcome.AGREES for outcome in fronts.values())
    enough = Outcome.AGREES if sure >= stated("cg_dominates") else Outcome.INCONCLUSIVE
    return Evidence.of_outcomes(
        [enough] * len(fronts),
        f"CG above BRS {_words(fronts)}",
        because(lacking(len(fronts), len(PARTITION), NOT_RUN), "the paper says so of three rivals at once"),
        stated=len(PARTITION),
        doubt=OPEN_IN_FIGURE,
        inferred=because(PORT_SETTINGS, SECOND_PASS),
        coverage=coverage(tables, (PAPER_CG, PORT), len(PARTITION), within=SHOWN_WITHIN),
    )


@claim("few-dominated-by-{rival}", "Introduction", tolerance=ORDER, why=RULE, over=RIVALS)
def few_dominated_by(tables: Tables, rival: str) -> Evidence:
    """{rival} trades accuracy for simplicity best on two datasets at most.

    BRS is compared with CG alone, so that it may be best on fewer datasets than are counted. Its port is planned on
    small datasets only, and of the others more than two are unseen: what is planned decides nothing.
    """
    if rival in WITHOUT_PROGRAM:
        return Evidence.missing(NO_PROGRAM)
    fronts = _fronts(tables, PORT, PAPER_CG)
    if not fronts:
        return awaited(TOGETHER, len(PARTITION))
    possible = sum(outcome is not Outcome.DIFFERS for outcome in fronts.values())
    unseen = len(PARTITION) - len(fronts)
    few = possible + unseen <= stated("other_dominates_at_most")
    return Evidence.of_outcomes(
        [Outcome.AGREES if few else Outcome.INCONCLUSIVE] * len(fronts),
        f"BRS above CG {_words(fronts)}",
        because(lacking(len(fronts), len(PARTITION), NOT_RUN), "BRS is compared with CG alone"),
        stated=len(PARTITION),
        doubt=OPEN_IN_FIGURE,
        inferred=because(PORT_SETTINGS, SECOND_PASS),
        coverage=coverage(tables, (PAPER_CG, PORT), len(PARTITION), within=SHOWN_WITHIN),
    )


@claim("rivals-lead-somewhere", "Section 4, Fig 1", tolerance=ORDER, why=RULE)
def rivals_lead_somewhere(tables: Tables) -> Evidence:
    """BRS, AM and BCD are each best, alone or beside another one, on one or two datasets."""
    return Evidence.missing(NO_PROGRAM, len(RIVALS))


@claim("nearly-dominates", "Section 4, Fig 1", tolerance=ORDER, why=RULE)
def nearly_dominates(tables: Tables) -> Evidence:
    """Column generation nearly dominates on tic-tac-toe, and on banknote all methods are very similar."""
    return Evidence.missing(NO_PROGRAM, 2)


@claim("not-on-musk-and-gas", "Section 4, Fig 1d", tolerance=ORDER, why=RULE)
def not_on_the_widest(tables: Tables) -> Evidence:
    """Column generation does not dominate on musk and gas, nor where AM or BCD lead at the lowest complexities.

    The paper does not name the datasets of the second kind.
    """
    return Evidence.missing(because(NO_PROGRAM, NO_GAS), 3)


@claim(
    "decision-sets-over-1000",
    "Section 4",
    tolerance="practical time, which the paper does not name",
    why=WORDS,
)
def decision_sets_over_a_thousand(tables: Tables) -> Evidence:
    """The program of interpretable decision sets takes too long with more than 1,000 candidate rules."""
    return Evidence.missing("no program of interpretable decision sets is run here, and no time is named")


@claim("decision-sets-inferior", "Section 4", tolerance=ORDER, why=RULE)
def decision_sets_inferior(tables: Tables) -> Evidence:
    """Partial results of interpretable decision sets are inferior to those of the other methods."""
    return Evidence.missing("these results stand in a supplement that could not be had")


@claim("am-on-musk", "Section 4, Fig 1d", tolerance=ORDER, why=RULE)
def am_dominates_on_musk(tables: Tables) -> Evidence:
    """On musk AM trades accuracy for simplicity as well as any method or better."""
    return Evidence.missing(NO_PROGRAM)


@claim("best-on-gas", "Section 4", tolerance=ORDER, why=RULE)
def best_on_gas(tables: Tables) -> Evidence:
    """On gas column generation is the most accurate of the four, given enough complexity."""
    return Evidence.missing(because(NO_GAS, NO_PROGRAM))


@claim("brs-cluster", "Section 4", tolerance=f"a factor of {CLUSTER:g}", why=WORDS)
def clustered(tables: Tables) -> Evidence:
    """Rule sets of BRS tend to cluster in a narrow range of complexity though kappa varies from 0.001 to 1,000.

    The largest mean complexity over kappa against the smallest, for each dataset, on the folds that have all kappas. A
    dataset agrees if it is less than twice the smallest, by more than two standard errors over the folds. The paper
    does not say how narrow the range is, so a wider one decides nothing.
    """
    rows, total = _with_every_kappa(tables), int(stated("datasets"))
    if rows.empty:
        return awaited(PORT, total)
    within = {str(name): _range_of(folds) for name, folds in rows.groupby("dataset", sort=False)}
    narrow = {name for name, (_, _, room) in within.items() if room.outcome is Outcome.AGREES}
    wide = ", ".join(
        f"{name} {low:.1f} to {high:.1f}" for name, (low, high, _) in within.items() if name not in narrow
    )
    kappas = ", ".join(f"{value:g}" for value in sorted(rows["parameter"].unique()))
    return Evidence.of_outcomes(
        [Outcome.AGREES if name in narrow else Outcome.INCONCLUSIVE for name in within],
        f"within less than a factor of {CLUSTER:g}, beyond errors, on {len(narrow)} of {len(within)} datasets, for "
        f"kappa of {kappas}",
        because(
            lacking(len(within), total, NOT_RUN), f"wider, or within errors of it: {wide}" if wide else ""
        ),
        stated=total,
        doubt="what range is still narrow is not said",
        inferred=PORT_SETTINGS,
        coverage=coverage({"brs": rows}, (PORT,), total),
    )


def _range_of(folds: pd.DataFrame) -> tuple[float, float, Lead]:
    """Smallest and largest mean complexity over kappa, and how far the second lies below twice the first, by folds."""
    sizes = folds.pivot_table(index="fold", columns="parameter", values="complexity")
    means = sizes.mean()
    low, high = sizes[means.idxmin()], sizes[means.idxmax()]
    return float(means.min()), float(means.max()), lead_of(CLUSTER * low - high)


@claim("kappa-fixed", "Section 4", tolerance="2 standard errors, of at most 1 point", why=RULE)
def kappa_makes_no_difference(tables: Tables) -> Evidence:
    """Choosing the prior's kappa does not make BRS more accurate on the whole than kappa = 1.

    Each other value is a cell: its mean difference over the datasets. They do not say what choosing a value for each
    training set would bring.
    """
    rows = _with_every_kappa(tables)
    if rows.empty:
        return awaited(PORT, 2)
    means = rows.pivot_table(index="dataset", columns="parameter", values="accuracy")
    gains = {value: lead_of(means[value] - means[1.0]) for value in means if value != 1.0}
    return Evidence.of_outcomes(
        [Outcome.INCONCLUSIVE] * len(gains),
        ", ".join(f"kappa {value:g}: {gain.shown(2)}" for value, gain in gains.items()),
        doubt="kappa was not chosen on the training part, and only some values were run",
        inferred=PORT_SETTINGS,
        coverage=coverage({"brs": rows}, (PORT,), int(stated("datasets"))),
    )


def _with_every_kappa(tables: Tables) -> pd.DataFrame:
    """Folds of BRS on which every kappa was run."""
    rows = folds_of(tables).query(f"method == '{PORT}'")
    counts = rows.groupby(["dataset", "fold"])["parameter"].transform("nunique")
    return rows[(counts > 1) & (counts == counts.max())]


@claim("heart-best", "Fig 1a, Section 5", tolerance=ERRORS, why=OTHER_FOLDS)
def best_on_heart(tables: Tables) -> Evidence:
    """Column generation reaches 81.3 % test accuracy on heart at its best complexity.

    Its most accurate point, a mean over ten folds in the paper.
    """
    rows = folds_of(tables).query(f"method == '{PAPER_CG}' and dataset == '{HEART}'")
    if rows.empty:
        return awaited("CG by the paper's procedure on heart")
    curve = points(rows)
    best = curve.iloc[int(curve["accuracy"].to_numpy().argmax())]
    error, printed = float(np.nan_to_num(best["accuracy_error"], nan=np.inf)), stated("heart_best_accuracy")
    near, small = within_two_errors(best["accuracy"] - printed, error), small_error(error, printed, 1.0)
    outcome = Outcome.INCONCLUSIVE if near and not small else Outcome.AGREES if near else Outcome.DIFFERS
    return Evidence.of_outcomes(
        [spared(outcome)],
        f"{best['accuracy']:.1f} ({error:.1f}) % at C = {best['parameter']:g}, the best of {len(curve)} values",
        doubt=OPEN_IN_FIGURE,
        inferred=because(SECOND_PASS, "that no Statlog file is meant follows from this number among others"),
        coverage=coverage(tables, (PAPER_CG,), 1, (HEART,), SHOWN_WITHIN),
    )


@claim("heart-falls", "Section 5", tolerance=ORDER, why=RULE)
def chosen_below_the_best_on_heart(tables: Tables) -> Evidence:
    """On heart the complexity chosen by cross-validation is less accurate than the best one.

    Fold by fold: the value of C that is best over all folds, less the one that was chosen. As in the paper the first is
    looked for on the test folds themselves, which favours it, so that a lead decides nothing.
    """
    rows = folds_of(tables).query(f"method == '{PAPER_CG}' and dataset == '{HEART}'")
    if rows.empty:
        return awaited("CG by the paper's procedure on heart")
    means = rows.groupby("parameter")["accuracy"].mean()
    best = rows[rows["parameter"] == means.idxmax()].set_index("fold")["accuracy"]
    chosen = rows[rows["chosen"] == 1].set_index("fold")["accuracy"]
    lead = lead_of(best - chosen)
    return Evidence.of_outcomes(
        [Outcome.INCONCLUSIVE],
        f"{means.max():.1f} % at C = {means.idxmax():g}, {chosen.mean():.1f} % as chosen; difference {lead.shown(1)}",
        f"the paper's best value is of the figure, with {SHOWN_WITHIN} s a fit",
        doubt=f"the best of {len(means)} values of C is looked for on the folds on which both are measured; {LESS}",
        inferred=SECOND_PASS,
        coverage=coverage(tables, (PAPER_CG,), 1, (HEART,)),
    )
