"""The numbers of the second notebook on the lost settings: Tables 1 and 3, the whole space, the bins."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace import settings, whole_space
from compactml.chapters.pace.bins import FIRST, reading_fits
from compactml.chapters.pace.datasets import ALL, DISTINCT
from compactml.chapters.pace.protocol import WHOLE_SPACE_SIZE
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.study.recording.results import Results

__all__ = ["bins", "fits", "whole_space_sizes"]

NOTHING = "–"
"""In place of a number that there is not."""
NEXT = tuple(f"next_{name}" for name in ("depth", "alpha", "beta", "near", "distance"))
OF_FORESTS = ("depth", "alpha", "beta", "N", "near", "datasets", "distance", *NEXT)
OF_ADABOOST = ("alpha", "beta", "N", "near", "datasets")
"""What the prose quotes of the best settings."""
KINDS = (RANDOM_FOREST, ADABOOST)


def fits(results: Results) -> dict[str, int | str]:
    """Return which settings fit the printed sizes of pruning alone best, and which sizes are proved to be others."""
    rows = results.rows("settings")
    grid = settings.distances(rows)
    forests, adaboost = (settings.best_fit(grid, ensemble) for ensemble in KINDS)
    deep = grid[(grid["ensemble"] == RANDOM_FOREST) & (grid["depth"] == grid["depth"].max())]
    deepest = deep.sort_values("mean distance").head(1)
    bounds = settings.proved_apart(results.rows("table_1"))
    named = [
        f"{row['dataset']}, N = {row['N']}: at least {row['bound']:g}, print {row['printed']:g}"
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
