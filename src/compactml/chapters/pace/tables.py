"""The chapter's tables and figures: their trials, their rows, and how they stand beside print."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from compactml.chapters.pace.beside_print import SIZE_UNIT, compare_sizes, with_texts
from compactml.chapters.pace.datasets import KEYS
from compactml.chapters.pace.plans import ours, paper, peers, readings
from compactml.chapters.pace.plans.specifying import of_profile
from compactml.chapters.pace.printed import printed_data
from compactml.chapters.pace.rows import (
    COMPRESSION,
    ISOLATION,
    READINGS,
    REBINNED,
    SCALED,
    SETTING,
    SIZES_BESIDE,
    dataset_cells,
    trial_rows,
)
from compactml.chapters.pace.trials import beyond, separation
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.merging import MERGE
from compactml.chapters.pace.trials.paper import COMPRESS, DATASET, FIPE, FIPE_KIND, FIPE_L1, PACE, PRUNE
from compactml.chapters.pace.trials.readings import READING, SIZED
from compactml.chapters.pace.trials.refitting import REFIT
from compactml.chapters.pace.trials.scale import SCALE
from compactml.study.chapter import Kind, Printed, Table
from compactml.study.judging.beside import digit_by_digit
from compactml.study.profile import Profile
from compactml.study.trial import Trial

__all__ = ["TABLES"]

Plan = Callable[[Profile], list[Trial]]

FORMS = ("constraint", "objective", "both")
RIVALS = ("constraint", "objective", "milp", "search")
"""Forms of separation of Figs 8 and 9, and of Figs 2 and 5: the paper has no "milp" and no "search"."""


def table(
    id: str,
    trials: Plan,
    *kinds: Kind,
    asked: tuple[str, ...] = COMPRESSION,
    printed: Printed | None = None,
) -> Table:
    """A table with one row a trial; of two limits, and of two isolation forests, the recorded one counts."""
    names = tuple(name for name in asked if name not in ISOLATION)
    return Table(
        id,
        trials,
        partial(trial_rows, kinds=kinds, asked=asked),
        key=("dataset", *names, "seed", "kind", "method"),
        datasets=KEYS,
        printed=printed,
    )


def sizes(id: str, by: str) -> Printed:
    """Tables 1, 3 and 4: final sizes are compared, and shown with shares of generated learners and times."""
    return Printed(
        partial(compare_sizes, id, by), ("dataset", "method"), by, SIZE_UNIT, partial(with_texts, id, by)
    )


def ablation(id: str, ensemble: str) -> Table:
    """Table 1 or 3."""
    return table(id, of_profile(paper.ablations, ensemble), COMPRESS, printed=sizes(id, "N"))


def loop(id: str, ensemble: str, forms: tuple[str, ...]) -> Table:
    """Fig 2, 5, 8 or 9."""
    return table(id, of_profile(paper.loops, ensemble, forms), separation.FAITHFUL, asked=SETTING)


def region(id: str, ensemble: str, dataset: str) -> Table:
    """Fig 3, 4, 6 or 7."""
    return table(id, of_profile(paper.regions, ensemble, dataset), COMPRESS)


def history(id: str, ensemble: str) -> Table:
    """Fig 10 or 11."""
    return table(id, of_profile(paper.histories, ensemble), beyond.HISTORY, asked=SETTING)


def scan(id: str, plan: Callable[..., Iterator[Trial]], *fixed: str) -> Table:
    """One part of the scan of what the paper leaves open."""
    return table(id, of_profile(plan, *fixed), READING, asked=READINGS)


DATA = Printed(
    digit_by_digit(printed_data, ("dataset", "quantity"), dataset_cells),
    ("dataset",),
    "quantity",
)
"""Table 2."""

TABLES = (
    ablation("table_1", RANDOM_FOREST),
    table("table_2", of_profile(paper.datasets), DATASET, asked=(), printed=DATA),
    ablation("table_3", ADABOOST),
    table(
        "table_4",
        of_profile(paper.whole_space, (PACE, FIPE)),
        COMPRESS,
        FIPE_KIND,
        printed=sizes("table_4", "ensemble"),
    ),
    loop("fig_2", RANDOM_FOREST, RIVALS),
    region("fig_3", RANDOM_FOREST, "Compas"),
    region("fig_4", RANDOM_FOREST, "Fico"),
    loop("fig_5", ADABOOST, RIVALS),
    region("fig_6", ADABOOST, "Compas"),
    region("fig_7", ADABOOST, "Fico"),
    loop("fig_8", RANDOM_FOREST, FORMS),
    loop("fig_9", ADABOOST, FORMS),
    history("fig_10", RANDOM_FOREST),
    history("fig_11", ADABOOST),
    table("settings", of_profile(ours.settings), COMPRESS),
    table("bins", of_profile(ours.rebinned), COMPRESS, asked=REBINNED),
    table("pricing", of_profile(ours.pricing), beyond.PRICING, COMPRESS),
    table("engines", of_profile(ours.engines), separation.ENGINES_KIND, asked=SETTING),
    table("checks", of_profile(ours.checks), beyond.RECHECK),
    table("fipe", of_profile(paper.whole_space, (PRUNE, FIPE, FIPE_L1)), COMPRESS, FIPE_KIND),
    table("merging", of_profile(ours.merged), MERGE),
    table("refitting", of_profile(ours.refitted), REFIT),
    table("scale", of_profile(ours.scaled), SCALE, asked=SCALED),
    scan("scan_table_4", readings.whole_space_scan),
    scan("scan_table_1", readings.ablation_scan, RANDOM_FOREST),
    scan("scan_table_3", readings.ablation_scan, ADABOOST),
    scan("scan_regions", readings.region_scan),
    scan("scan_order", readings.order_scan),
    table("single_trees", of_profile(readings.sizes), SIZED, asked=SIZES_BESIDE),
    Table("fipepy", peers.cases, peers.case_rows, peers.CASE),
)
