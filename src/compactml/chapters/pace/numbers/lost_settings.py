"""The numbers of the fourth notebook: lost settings, bins, shares of classes, certificates, odd entries."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace import settings, whole_space
from compactml.chapters.pace.bins import FIRST, reading_fits
from compactml.chapters.pace.class_shares import class_shares
from compactml.chapters.pace.datasets import ALL, DISTINCT
from compactml.chapters.pace.odd_cells import impossible_shares
from compactml.chapters.pace.pictures.squares import of_sizes
from compactml.chapters.pace.printed import NEAR
from compactml.chapters.pace.protocol import ALPHA, BETA, GENERATED_DEPTH, PROTOCOLS, WHOLE_SPACE_SIZE
from compactml.chapters.pace.rows import at_limit, sizes_of
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, PACE, PRUNE
from compactml.pace.phases import FIRST_SHARE
from compactml.study.judging.comparison import Agreement
from compactml.study.profile import Profile
from compactml.study.recording.results import Results

__all__ = [
    "bins", "fits", "lost_certificates", "protocol", "shares", "suspicious", "table_4", "tested", "whole_space_sizes",
]  # fmt: skip

STANDARD = PROTOCOLS[Profile.STANDARD]
JUDGED = [Agreement.EVERY_DIGIT, Agreement.DIFFERS]
CASE = ["dataset", "ensemble", "n_learners"]
NOTHING = "–"
"""In place of a number that there is not."""
NEXT = tuple(f"next_{name}" for name in ("depth", "alpha", "beta", "near", "distance"))
OF_FORESTS = ("depth", "alpha", "beta", "N", "near", "datasets", "distance", *NEXT)
OF_ADABOOST = ("alpha", "beta", "N", "near", "datasets")
"""What the prose quotes of the best settings."""
KINDS = (RANDOM_FOREST, ADABOOST)


def protocol(results: Results) -> dict[str, int | str]:
    """Return settings that the page names, and the time limits of the recorded runs that one ended."""
    ended = (at_limit(results.recorded(id)) for id in results.chapter.table_ids)
    limits = pd.concat(ended, ignore_index=True)["time_limit"]
    return {
        "pace_limit_least": f"{limits.min():g}",
        "pace_limit_most": f"{limits.max():g}",
        **{f"pace_alpha_{ensemble}": f"{alpha:g}" for ensemble, alpha in ALPHA.items()},
        "pace_beta": f"{BETA:g}",
        "pace_whole": WHOLE_SPACE_SIZE,
        "pace_first_share": f"{100 * FIRST_SHARE:g}",
        "pace_generated_depth": GENERATED_DEPTH,
    }


def fits(results: Results) -> dict[str, int | str]:
    """Return which settings fit the printed sizes of pruning alone best, and which sizes are proved to be others."""
    rows = results.rows("settings")
    grid = settings.distances(rows)
    forests, adaboost = (settings.best_fit(grid, ensemble) for ensemble in KINDS)
    deep = grid[(grid["ensemble"] == RANDOM_FOREST) & (grid["depth"] == grid["depth"].max())]
    deepest = deep.sort_values("mean distance").head(1)
    bounds = settings.proved_apart(results.rows("table_1"))
    named = [
        f"{row['dataset']}, N = {row['N']}: at least {row['bound']:g}, published {row['printed']:g}"
        for row in bounds.to_dict("records")
    ]
    return {
        **{f"pace_fit_{name}": forests[name] for name in OF_FORESTS},
        **{f"pace_fit_adaboost_{name}": adaboost[name] for name in OF_ADABOOST},
        "pace_fit_betas": ", ".join(
            f"{beta:g}" for beta in sorted(rows.loc[rows["alpha"] > 0, "beta"].unique())
        ),
        "pace_fit_deepest_depth": first(deepest["depth"]),
        "pace_fit_deepest_alpha": first(deepest["alpha"]),
        "pace_fit_deepest_distance": first(deepest["mean distance"]),
        "pace_fit_most_alpha": f"{grid['alpha'].max():g}" if len(grid) else NOTHING,
        "pace_proved_apart": len(bounds),
        "pace_proved_apart_names": "; ".join(named) or "none",
    }


def first(values: pd.Series) -> str:
    """The first value with two digits, a dash without any."""
    return f"{values.iloc[0]:.2g}" if len(values) else NOTHING


def names(datasets: pd.Series) -> str:
    """Datasets as the prose lists them."""
    return ", ".join(datasets) or "none"


def of_table_4(sizes: pd.DataFrame, ensemble: str) -> pd.DataFrame:
    """Rows of an ensemble with the number of learners that Table 4 is taken to have."""
    return sizes[(sizes["ensemble"] == ensemble) & (sizes["n_learners"] == WHOLE_SPACE_SIZE)]


def whole_space_sizes(results: Results) -> dict[str, int | str]:
    """Return how many printed sizes of Table 4 lie where means of five runs lie, and what a single run says."""
    rows = results.rows("settings")
    sizes = whole_space.intervals(rows)
    by_number = whole_space.size_fits(sizes)
    single = dict(zip(("N", "near", "certified"), whole_space.single_run(rows, RANDOM_FOREST), strict=True))
    numbers: dict[str, int | str] = {
        **{f"pace_whole_first_{name}": value for name, value in single.items()},
        "pace_whole_runs": int(by_number["runs"].max()) if len(by_number) else 1,
    }
    for ensemble in KINDS:
        used, inside = of_table_4(by_number, ensemble), of_table_4(sizes, ensemble)
        expected = used["expected within 1"]
        numbers |= {
            f"pace_whole_{ensemble}_inside": int(used["inside"].sum()),
            f"pace_whole_{ensemble}_near": int(used["within 1"].sum()),
            f"pace_whole_{ensemble}_datasets": int(used["datasets"].sum()),
            f"pace_whole_{ensemble}_expected": f"{expected.iloc[0]:.1f}" if len(expected) else NOTHING,
            f"pace_whole_{ensemble}_outside": names(inside.loc[~inside["inside"].astype(bool), "dataset"]),
        }
    return numbers


def bins(results: Results) -> dict[str, int | str]:
    """Return how well Table 4 fits if the bins lie between the deciles of distinct values."""
    rows, rebinned = results.rows("settings"), results.rows("bins")
    readings = reading_fits({ALL: rows, DISTINCT: rebinned})
    before, after = whole_space.intervals(rows), whole_space.intervals(rebinned)
    numbers: dict[str, int | str] = {"pace_bins_runs": whole_space.PRINTED_RUNS}
    for ensemble in KINDS:
        of_both = readings[readings["ensemble"] == ensemble]
        best = of_both.loc[of_both["deciles of"] == DISTINCT, "n_learners"].head(1)
        here = after[(after["ensemble"] == ensemble) & after["n_learners"].isin(best)]
        same = of_table_4(before, ensemble)
        same = same[same["dataset"].isin(here["dataset"])]
        inside, was_inside = here["inside"].astype(bool), same["inside"].astype(bool)
        moved = inside & here["dataset"].isin(same.loc[~was_inside, "dataset"])
        most = of_both[FIRST + "within 1"].max() if len(of_both) else 0
        numbers |= {
            f"pace_bins_{ensemble}_N": int(best.sum()),
            f"pace_bins_{ensemble}_inside": int(inside.sum()),
            f"pace_bins_{ensemble}_near": int(here["near"].sum()),
            f"pace_bins_{ensemble}_datasets": len(here),
            f"pace_bins_{ensemble}_first_inside": int(was_inside.sum()),
            f"pace_bins_{ensemble}_first_near": int(same["near"].sum()),
            f"pace_bins_{ensemble}_moved": names(here.loc[moved, "dataset"]),
            f"pace_bins_{ensemble}_outside": names(here.loc[~inside, "dataset"]),
            f"pace_bins_{ensemble}_most": int(most),
        }
    return numbers


def certified_cells(results: Results, id: str, method: str) -> pd.DataFrame:
    """Return the cells of a method that have a certified size, with a column ``near``: within one learner of print."""
    cells = of_sizes(results, id)
    cells = cells[(cells["method"] == method) & cells["verdict"].isin(JUDGED)]
    return cells.assign(near=cells["difference"].round().abs() <= NEAR)  # print has whole learners


def tested(results: Results) -> dict[str, int]:
    """Return how near pruned forests are to print where N is larger, or where the dataset took no part in the fit."""
    cells, every = certified_cells(results, "table_1", PRUNE), results.counted_cells("table_1")
    larger = cells[cells["N"].astype(int) > min(STANDARD.sizes)]
    unfitted = cells[~cells["dataset"].isin(STANDARD.settings.datasets)]
    uncertified = every[(every["method"] == PRUNE) & (every["verdict"] == "")]
    return {
        "pace_larger": len(larger),
        "pace_larger_near": int(larger["near"].sum()),
        "pace_unfitted": len(unfitted),
        "pace_unfitted_near": int(unfitted["near"].sum()),
        "pace_unfitted_open": int((~uncertified["dataset"].isin(STANDARD.settings.datasets)).sum()),
    }


def table_4(results: Results) -> dict[str, int]:
    """Return what Table 4 has beside print, and where Pace is smaller in leaves as well."""
    rows, cells = results.rows("table_4"), certified_cells(results, "table_4", FIPE)
    sizes = sizes_of(rows, CASE).reindex(columns=[PACE, FIPE]).dropna()
    smaller = sizes[sizes[PACE] < sizes[FIPE]].index
    leaves = sizes_of(rows.assign(final_size=rows["total_leaves"]), CASE)
    leaves = leaves.reindex(columns=[PACE, FIPE]).loc[smaller]
    return {
        "pace_table_4": len(cells),
        "pace_table_4_near": int(cells["near"].sum()),
        "pace_table_4_both": len(sizes),
        "pace_table_4_gains": len(smaller),
        "pace_table_4_gains_leaves": int((leaves[PACE] < leaves[FIPE]).sum()),
    }


def lost_certificates(results: Results) -> dict[str, str]:
    """Return in which cells pruning alone is certified and Pace is not."""
    lost = {}
    for id in ("table_1", "table_3"):
        sizes = sizes_of(results.rows(id), CASE).reindex(columns=[PACE, PRUNE])
        cells = sizes[sizes[PACE].isna() & sizes[PRUNE].notna()].index
        lost[f"pace_{id}_lost"] = "; ".join(f"{name}, N = {n}" for name, _, n in cells) or "none"
    return lost


def shares(results: Results) -> dict[str, int]:
    """Return of how many datasets the class shares are the printed ones, of all rows and without the first."""
    beside = class_shares(results.rows("table_2"))
    return {
        "pace_shares_datasets": len(beside),
        "pace_shares_all": int((beside["all rows"] == beside["print"]).sum()),
        "pace_shares_headless": int((beside["without the first row"] == beside["print"]).sum()),
    }


def suspicious(results: Results) -> dict[str, int]:
    """Return how many printed cells have a share of generated learners that no ensemble of their size has."""
    return {f"pace_impossible_{id}": len(impossible_shares(id)) for id in ("table_1", "table_3")}
