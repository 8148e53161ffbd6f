"""The numbers of the second notebook: protocol, cells beside print, separation, regions, suspicious entries."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace.class_shares import class_shares
from compactml.chapters.pace.odd_cells import impossible_shares
from compactml.chapters.pace.printed import NEAR
from compactml.chapters.pace.protocol import (
    ALPHA,
    BETA,
    DEPTH,
    GENERATED_DEPTH,
    ISOLATION_SAMPLES,
    ISOLATION_TREES,
    PROTOCOLS,
    WHOLE_SPACE_SIZE,
)
from compactml.chapters.pace.rows import at_limit, geometric, ratios, sizes_of
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PACE, PRUNE
from compactml.pace._compress import FIRST_SHARE
from compactml.study.judging.comparison import Agreement
from compactml.study.profile import Profile
from compactml.study.recording.origins import time_limits
from compactml.study.recording.results import Results

__all__ = [
    "protocol",
    "regions",
    "separation",
    "shares",
    "suspicious",
    "table_1",
    "table_2",
    "table_3",
    "table_4",
]

STANDARD = PROTOCOLS[Profile.STANDARD]
JUDGED = [Agreement.EVERY_DIGIT, Agreement.DIFFERS]
CASE = ["dataset", "ensemble", "n_learners"]
LOOPS = ("fig_2", "fig_5")
REGIONS = ("fig_3", "fig_4", "fig_6", "fig_7")


def protocol(results: Results) -> dict[str, int | str]:
    """Return the settings of the runs and their time limits: of this build, and of the recorded runs that one ended."""
    chapter = results.chapter
    ended = pd.concat([at_limit(results.recorded(id)) for id in chapter.table_ids], ignore_index=True)
    limits = ended["time_limit"]
    return {
        "pace_limit": time_limits(results.build("table_1")) or "–",
        "pace_limit_standard": f"{STANDARD.limit:g}",
        "pace_limit_least": f"{limits.min():g}",
        "pace_limit_most": f"{limits.max():g}",
        **{f"pace_alpha_{ensemble}": f"{alpha:g}" for ensemble, alpha in ALPHA.items()},
        **{f"pace_depth_{ensemble}": depth for ensemble, depth in DEPTH.items()},
        "pace_beta": f"{BETA:g}",
        "pace_whole": WHOLE_SPACE_SIZE,
        "pace_first_share": f"{100 * FIRST_SHARE:g}",
        "pace_generated_depth": GENERATED_DEPTH,
        "pace_isolation_trees": ISOLATION_TREES,
        "pace_isolation_samples": ISOLATION_SAMPLES,
    }


def judged_cells(results: Results, id: str) -> pd.DataFrame:
    """Return the cells of a printed table that have a value of ours."""
    cells = results.counted_cells(id)
    return cells[cells["verdict"].isin(JUDGED)]


def judged_sizes(results: Results, id: str) -> pd.DataFrame:
    """Return the same of Table 1, 3 or 4, with a column ``near``: within one learner of print.

    "Generate only" is left out, which is not comparable: ours keeps the initial trees.
    """
    cells = judged_cells(results, id)
    cells = cells[cells["method"] != GENERATE]
    return cells.assign(near=cells["difference"].round().abs() <= NEAR)  # print has whole learners


def table_2(results: Results) -> dict[str, int]:
    """Return how many numbers of Table 2 agree."""
    cells = judged_cells(results, "table_2")
    return {
        "pace_table_2_all": len(cells),
        "pace_table_2_agree": int((cells["verdict"] == Agreement.EVERY_DIGIT).sum()),
    }


def shares(results: Results) -> dict[str, int]:
    """Return of how many datasets the class shares are the printed ones, of all rows and without the first."""
    beside = class_shares(results.rows("table_2"))
    return {
        "pace_shares_datasets": len(beside),
        "pace_shares_all": int((beside["all rows"] == beside["print"]).sum()),
        "pace_shares_headless": int((beside["without the first row"] == beside["print"]).sum()),
    }


def separation(results: Results) -> dict[str, int | float]:
    """Return how long other forms of separation take to faithfulness beside the constraint form."""
    numbers: dict[str, int | float] = {}
    for id in LOOPS:
        rows = results.rows(id)
        asked = rows[rows["method"] == "constraint"]
        by_objective, by_milp = (ratios(rows, "seconds", form)["ratio"] for form in ("objective", "milp"))
        numbers |= {
            f"pace_{id}_runs": len(asked),
            f"pace_{id}_left": int((asked["certified"] != 1).sum()),
            f"pace_{id}_compared": len(by_objective),
            f"pace_{id}_objective": geometric(by_objective),
            f"pace_{id}_objective_faster": int((by_objective < 1).sum()),
            f"pace_{id}_milp": geometric(by_milp),
        }
    return {"pace_fig_2_datasets": results.rows("fig_2")["dataset"].nunique(), **numbers}


def agreement(results: Results, id: str) -> dict[str, int]:
    """Return how many sizes of a table are the printed ones, or within one learner of them."""
    cells = judged_sizes(results, id)
    return {
        f"pace_{id}_all": len(cells),
        f"pace_{id}_agree": int((cells["verdict"] == Agreement.EVERY_DIGIT).sum()),
        f"pace_{id}_near": int(cells["near"].sum()),
    }


def pruned_cells(results: Results, id: str) -> pd.DataFrame:
    """Return the cells of pruning alone, Fipe's included, that have a value of ours."""
    cells = judged_sizes(results, id)
    return cells[cells["method"].isin([PRUNE, FIPE])]


def uncertified_cells(results: Results, id: str) -> pd.DataFrame:
    """Return the cells of pruning alone of which ours is not certified."""
    cells = results.counted_cells(id)
    return cells[cells["method"].isin([PRUNE, FIPE]) & (cells["verdict"] == "")]


def pruned(results: Results, id: str) -> dict[str, int]:
    """Return how many sizes of pruning alone are within one learner of print."""
    cells = pruned_cells(results, id)
    return {f"pace_{id}_pruned": len(cells), f"pace_{id}_pruned_near": int(cells["near"].sum())}


def sizes_of_both(results: Results, id: str, other: str) -> pd.DataFrame:
    """Return certified sizes of Pace and of another method, missing where there is none."""
    return sizes_of(results.rows(id), CASE).reindex(columns=[PACE, other])


def gains(results: Results, id: str, other: str = PRUNE) -> dict[str, int]:
    """Return in how many cells Pace is smaller than another method."""
    sizes = sizes_of_both(results, id, other).dropna()
    return {f"pace_{id}_both": len(sizes), f"pace_{id}_gains": int((sizes[PACE] < sizes[other]).sum())}


def lost(results: Results, id: str) -> dict[str, str]:
    """Return in which cells pruning alone is certified and Pace is not."""
    sizes = sizes_of_both(results, id, PRUNE)
    cells = sizes[sizes[PACE].isna() & sizes[PRUNE].notna()].index
    return {f"pace_{id}_lost": "; ".join(f"{name}, N = {n}" for name, _, n in cells) or "none"}


def table_1(results: Results) -> dict[str, int | str]:
    """Return what Table 1 has beside print, and of pruning alone in cells that took no part in the inference."""
    cells, uncertified = pruned_cells(results, "table_1"), uncertified_cells(results, "table_1")
    larger = cells[cells["N"].astype(int) > min(STANDARD.sizes)]
    unfitted = cells[~cells["dataset"].isin(STANDARD.settings.datasets)]
    unfitted_open = ~uncertified["dataset"].isin(STANDARD.settings.datasets)
    return {
        **agreement(results, "table_1"),
        **pruned(results, "table_1"),
        "pace_table_1_pruned_open": len(uncertified),
        **gains(results, "table_1"),
        **lost(results, "table_1"),
        "pace_table_1_larger": len(larger),
        "pace_table_1_larger_near": int(larger["near"].sum()),
        "pace_table_1_unfitted": len(unfitted),
        "pace_table_1_unfitted_near": int(unfitted["near"].sum()),
        "pace_table_1_unfitted_open": int(unfitted_open.sum()),
    }


def table_3(results: Results) -> dict[str, int | str]:
    """Return what Table 3 has beside print."""
    return {
        **agreement(results, "table_3"),
        **pruned(results, "table_3"),
        "pace_table_3_pruned_open": len(uncertified_cells(results, "table_3")),
        **gains(results, "table_3"),
        **lost(results, "table_3"),
    }


def table_4(results: Results) -> dict[str, int]:
    """Return what Table 4 has beside print, and where Pace is smaller in leaves as well."""
    sizes = sizes_of_both(results, "table_4", FIPE).dropna()
    smaller = sizes[sizes[PACE] < sizes[FIPE]].index
    rows = results.rows("table_4")
    leaves = sizes_of(rows.assign(final_size=rows["total_leaves"]), CASE)
    leaves = leaves.reindex(columns=[PACE, FIPE]).loc[smaller]
    return {
        **pruned(results, "table_4"),
        **gains(results, "table_4", FIPE),
        "pace_table_4_gains_leaves": int((leaves[PACE] < leaves[FIPE]).sum()),
    }


def regions(results: Results) -> dict[str, int]:
    """Return in how many regions Pace is smaller, or larger, than pruning alone."""
    numbers: dict[str, int] = {}
    for id in REGIONS:
        sizes = sizes_of(results.rows(id), ["alpha", "beta"]).reindex(columns=[PACE, PRUNE]).dropna()
        numbers |= {
            f"pace_{id}_regions": len(sizes),
            f"pace_{id}_smaller": int((sizes[PACE] < sizes[PRUNE]).sum()),
            f"pace_{id}_larger": int((sizes[PACE] > sizes[PRUNE]).sum()),
        }
    return numbers


def suspicious(results: Results) -> dict[str, int]:
    """Return how many printed cells have a share of generated learners that no ensemble of their size has."""
    return {f"pace_impossible_{id}": len(impossible_shares(id)) for id in ("table_1", "table_3")}
