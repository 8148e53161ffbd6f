"""What claims read of the programs that the paper ran: folds, leads of one over another, and what stays open.

Column generation is the paper's procedure with HiGHS for CPLEX, on small sets half of the paper's time, and three
values of C. So what comes out worse refutes nothing, whatever the errors are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

import pandas as pd

from compactml.chapters.boolean_rules import NAME, protocol
from compactml.chapters.boolean_rules.claims.common import TRADE_OFF_RIVALS, Tables, of_method, printed_names
from compactml.chapters.boolean_rules.datasets import PARTITION
from compactml.chapters.boolean_rules.fold_rows import FOLD_TABLES, cells, joined
from compactml.chapters.boolean_rules.methods import JRIP, PAPER_CG, PROGRAM_OF
from compactml.chapters.boolean_rules.printed import POINTS
from compactml.chapters.boolean_rules.rows import CELL
from compactml.chapters.boolean_rules.trials.folds import N_FOLDS
from compactml.study.judging.comparison import compare_means
from compactml.study.judging.evidence import Coverage, Evidence, Share, because
from compactml.study.judging.noise import CHANCE, Lead, Outcome, lead_of
from compactml.study.profile import Profile
from compactml.study.recording.published import published

LESS = (
    "HiGHS for CPLEX, on small sets half of the paper's time, three values of C and one held-out part to choose by "
    "may make CG's rules worse, longer or shorter"
)
LESS_IN_FIGURE = (
    "HiGHS for CPLEX, a fifth of the paper's time on small and two fifths on large sets, and three values of C may "
    "change CG's rules"
)
OUR_CHOICE_OF_C = "three values of C and one held-out part to choose by are ours"
SECOND_PASS = "our points of CG have passed the second pass, which those of the paper's figure lack"
OPEN = f"{CHANCE}, or {LESS}"
OPEN_IN_FIGURE = f"{CHANCE}, or {LESS_IN_FIGURE}"
NOT_RUN = "datasets not run"
NO_PROGRAM = "AM and BCD cannot be had as programs: of their descriptions only abstracts could be seen"
PORT_SETTINGS = (
    "the settings of BRS stand in a supplement that could not be had: those of its authors' example, and candidates "
    "from random forests, in a port whose counts of clauses are mended"
)
SHARES = (
    "the paper gives no grid of leaf sizes: shares of the rows chosen by the complexities printed for CART"
)
RIVALS = {rival: {"rival": rival} for rival in TRADE_OFF_RIVALS}
"""Each rival of Fig 1 is a claim of its own: two of them cannot be had as programs."""
READ_BY_US = ("heart", "liver", "adult", "bank-mkt", "mushroom", "FICO")
"""Datasets whose version, class or missing values neither the text nor a printed number settles: our choice.

On others only which of two classes is the positive one is our choice. RIPPER, trees and forests do not depend on it,
and cells of CG and BRS that differ refute nothing anyway."""
SETTLED_BY_PRINT = ("ILPD", "transfusion")
"""Datasets whose class and rows are inferred from printed accuracies: inferred settings refute nothing either."""
INFERRED_SETTINGS = {"BRS": PORT_SETTINGS, "CART": SHARES, "RF": SHARES}
"""Settings of the rivals' programs that we had to infer, by printed name."""
CHOSEN_WITHIN, SHOWN_WITHIN = 120, 300
"""Seconds that the paper gives CG for a value of C: in Tables 1 and 2, and in Fig 1."""


def folds_of(tables: Tables) -> pd.DataFrame:
    """All folds of the programs, on the paper's datasets."""
    return printed_names(joined({name: tables.get(name) for name in FOLD_TABLES}))


def steps_of(tables: Tables, datasets: Sequence[str]) -> pd.DataFrame:
    """Steps of the paper's procedure on some datasets; no row before they are recorded."""
    steps = tables.get("paper_steps")
    if steps is None:
        return pd.DataFrame(columns=["dataset", "literals", "nonzeros", "sampled", "least_gap", "proved"])
    return steps[(steps["method"] == PAPER_CG) & steps["dataset"].isin(datasets)]


def proved_shares(rows: pd.DataFrame) -> str:
    """Share of the linear programs proved solved, by dataset, of rows of `steps_of`."""
    shares = (f"{name} {share:.0%}" for name, share in zip(rows["dataset"], rows["proved"], strict=True))
    return f"linear programs proved solved: {', '.join(shares)}"


def program_cells(tables: Tables, table: str) -> pd.DataFrame:
    """Cells of Table 1 or 2 under the printed names of the methods, each by the program that the paper ran."""
    printed = {program: name for name, program in PROGRAM_OF.items()}
    means = cells(folds_of(tables), table)
    means = means[means["method"].isin(list(printed))]
    return means.assign(method=means["method"].map(printed))


def beside_print(tables: Tables, table: str, method: str) -> pd.DataFrame:
    """Printed cells of a method in Table 1 or 2 beside the program that the paper ran, compared."""
    printed = of_method(published(NAME, table), method)
    return compare_means(printed, program_cells(tables, table), None, CELL, point=POINTS[table])


def differences(tables: Tables, first: str, second: str, column: str) -> pd.DataFrame:
    """First program less second on each fold that both have: dataset, fold, difference."""
    chosen = folds_of(tables).query("chosen == 1")
    sides = [
        chosen.loc[chosen["method"] == method, ["dataset", "fold", column]] for method in (first, second)
    ]
    both = sides[0].merge(sides[1], on=["dataset", "fold"]).dropna()
    return both.assign(difference=both[f"{column}_x"] - both[f"{column}_y"])


def leads(tables: Tables, first: str, second: str, column: str = "accuracy") -> dict[str, Lead]:
    """Lead of the first program on each dataset, the folds being the blocks; datasets in the paper's order."""
    found = differences(tables, first, second, column)
    by_name = {str(name): lead_of(rows["difference"]) for name, rows in found.groupby("dataset")}
    return {name: by_name[name] for name in PARTITION if name in by_name}


def over_datasets(tables: Tables, first: str, second: str, column: str = "accuracy") -> Lead | None:
    """Lead of the first program over the datasets, which are the blocks."""
    means = [lead.mean for lead in leads(tables, first, second, column).values()]
    return lead_of(means) if means else None


def reading_of(datasets: Iterable[str]) -> str:
    """What of some datasets' reading neither the text nor a printed number settles, or print alone does; or nothing."""
    named = list(datasets)
    ours, by_print = ([name for name in names if name in named] for names in (READ_BY_US, SETTLED_BY_PRINT))
    return because(
        f"the version, the class or the missing values of {', '.join(ours)} are our choice" if ours else "",
        f"the rows and the class of {', '.join(by_print)} are inferred from print" if by_print else "",
    )


def spared(outcome: Outcome) -> Outcome:
    """What refutes nothing, since more time could change it."""
    return Outcome.INCONCLUSIVE if outcome is Outcome.DIFFERS else outcome


def awaited(what: str, stated: int = 1) -> Evidence:
    """Evidence of a run that is still to be made."""
    return Evidence.missing(f"{what}: still to be recorded", stated)


def coverage(
    tables: Tables,
    methods: tuple[str, ...],
    of: int,
    datasets: tuple[str, ...] = (),
    within: int = CHOSEN_WITHIN,
) -> Coverage:
    """Datasets that all of some programs have, folds that all have of these and, of column generation, seconds.

    ``within`` are the seconds that the paper gives it. Where small and large sets have other limits, or datasets other
    numbers of folds, the smallest is named.
    """
    rows = folds_of(tables)
    rows = rows[rows["method"].isin(methods) & (rows["dataset"].isin(datasets) if datasets else True)]
    counts = rows.pivot_table(index="dataset", columns="method", values="fold", aggfunc="nunique")
    counts = counts.reindex(columns=list(methods))
    shared = counts.dropna().min(axis="columns")
    if shared.empty:
        return Coverage(Share(0, of, "datasets"))
    least, most = int(shared.min()), int(shared.max())
    parts = protocol.PAPER_CG[Profile.STANDARD]
    limits = {parts[PARTITION[str(name)]].time_limit for name in shared.index}
    slower = f", {max(limits):g} on large datasets" if len(limits) > 1 else ""
    return Coverage(
        Share(len(shared), of, "datasets"),
        Share(most, N_FOLDS, "folds" + (f", {least} at least" if least < most else "")),
        Share(min(limits), within, f"s a fit{slower}") if PAPER_CG in methods else None,
    )


def named(leads: dict[str, Lead], digits: int = 1) -> str:
    """Means with their errors, by dataset."""
    return ", ".join(f"{name} {lead.shown(digits)}" for name, lead in leads.items())


def kept_short(tables: Tables) -> set[str]:
    """Datasets on which CG chose our largest C on some fold while RIPPER's rules are longer than that."""
    chosen = folds_of(tables).query("chosen == 1")
    parts = protocol.PAPER_CG[Profile.STANDARD]
    longest = {name: parts[part].grid[-1] for name, part in PARTITION.items()}
    rules = chosen[chosen["method"] == JRIP].groupby("dataset")["complexity"].mean()
    ours = chosen[chosen["method"] == PAPER_CG]
    at_end = set(ours.loc[ours["parameter"] >= ours["dataset"].map(longest), "dataset"])
    return {str(name) for name, size in rules.items() if name in at_end and size > longest[str(name)]}


def in_words(kept: Set[str]) -> str:
    """Say on which datasets the largest C decides."""
    return f"our largest C keeps CG's rules short on {', '.join(sorted(kept))}" if kept else ""
