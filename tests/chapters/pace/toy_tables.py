"""Trials of the Pace chapter that were never run, and recorded tables in which all statements are true."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import WINS
from compactml.chapters.pace.datasets import KEYS
from compactml.chapters.pace.plans.readings import JUDGED, PAPERS
from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.rows import NAMES
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PACE, PRUNE
from compactml.study import Finished, Trial
from compactml.study.recording.published import published
from tests.study.toy_report import finished as finished_toy

COMPRESSED: dict[str, Any] = {
    "final_size": 5, "n_generated": 2, "generated_in_final": 0.4, "certified": 1, "lower_bound": 5, "proved_l0": 1,
    "total_leaves": 18, "initial_size": 25, "initial_leaves": 90, "seconds": 12.0, "timed_out": 0, "error": "",
}  # fmt: skip


def done(
    dataset: str,
    method: str = PRUNE,
    *,
    kind: str = "compress",
    ensemble: str = RANDOM_FOREST,
    n_learners: int = 25,
    depth: int = 2,
    alpha: float = 0.1,
    beta: float = 0.1,
    seed: int = 0,
    more: dict[str, Any] | None = None,
    **result: Any,
) -> Finished:
    """One finished trial on a dataset by its printed name; ``result`` changes a compression's."""
    parameters: dict[str, Any] = {
        "ensemble": ensemble, "n_learners": n_learners, "depth": depth, "alpha": alpha, "beta": beta, **(more or {}),
    }  # fmt: skip
    trial = Trial(NAME, kind, KEYS[dataset], method, None, seed, tuple(parameters.items()), 60.0)
    found = COMPRESSED | result if kind in ("compress", "fipe") else result
    return Finished(trial, found, finished_toy("none").provenance, cached=False)


def row(dataset: str, method: str, size: float, **columns: Any) -> dict[str, Any]:
    """One plain row of a compression."""
    fixed = {
        "dataset": dataset, "method": method, "final_size": size, "certified": 1, "timed_out": 0, "seed": 0,
        "ensemble": RANDOM_FOREST, "n_learners": 25, "depth": 2, "alpha": 0.1, "beta": 0.1, "time_limit": 60.0,
        "generated_in_final": 1.0, "seconds": 3.0 if method == PACE else 1.0, "kind": "compress",
        "lower_bound": float("nan"),
    }  # fmt: skip
    return fixed | columns


def datasets_as_stated() -> pd.DataFrame:
    """Class shares as printed, other ones without the first row."""
    printed = published(NAME, "table_2").replace("", None).set_index("dataset")
    shares = printed.filter(like="class_share").astype(float)
    falling = [sorted(own.dropna(), reverse=True) for _, own in shares.iterrows()]
    frame = pd.DataFrame(falling, columns=["share_1", "share_2", "share_3"])
    return frame.join((frame + 0.002).add_prefix("headless_")).assign(dataset=shares.index)


def ablations_as_stated(table: str) -> pd.DataFrame:
    """Pruning only as printed, Pace half of it (but at least one learner less), Generate only 100."""
    found = []
    for (dataset, n), size in printed_sizes(table)[PRUNE].items():  # type: ignore[misc]
        for method, own in ((PRUNE, size), (PACE, min(size - 1, size / 2)), (GENERATE, 100)):
            found.append(row(dataset, method, own, n_learners=n))
    return pd.DataFrame(found)


def whole_space_runs(*off: float, dataset: str = "Seeds", **columns: object) -> pd.DataFrame:
    """Pruned forests of stumps on the whole space, so many learners off the printed size; a run for each."""
    fixed = {"alpha": 0.0, "beta": 0.0, "depth": 1, "n_learners": 50} | columns
    size = printed_sizes("table_4")[FIPE].loc[(dataset, RANDOM_FOREST)]
    return pd.DataFrame([row(dataset, PRUNE, size + one, seed=i, **fixed) for i, one in enumerate(off)])


def whole_space_as_stated() -> pd.DataFrame:
    """Table 4 as printed, which has as many wins as stated."""
    sizes = printed_sizes("table_4")
    found = [
        row(dataset, method, size[method], ensemble=ensemble, total_leaves=2 * size[FIPE])
        for (dataset, ensemble), size in sizes.iterrows()  # type: ignore[misc]
        for method in (PACE, FIPE)
    ]
    assert set(WINS) == {RANDOM_FOREST, ADABOOST}
    return pd.DataFrame(found)


def regions_as_stated(dataset: str, at_zero: float) -> pd.DataFrame:
    """Sizes that fall with alpha; Pace has ``at_zero`` of the pruned learners at 0, and half of them elsewhere."""
    sizes = {0.0: 20, 0.1: 8, 0.2: 4}
    found = []
    for alpha, size in sizes.items():
        share = at_zero if alpha == 0 else 0.5
        found += [
            row(dataset, PRUNE, size, alpha=alpha, beta=0.0),
            row(dataset, PACE, share * size, alpha=alpha, beta=0.0),
        ]
    return pd.DataFrame(found)


def scanned(dataset: str, size: float, duals: str = JUDGED.duals, **columns: Any) -> dict[str, Any]:
    """One run of a scan, all of whose learners are generated."""
    choices = JUDGED._asdict() | {"separation": PAPERS, "duals": duals}
    phase = {"weighed_size": 100, "ended": "not negative", "n_generated": size, "total_leaves": 9 * size}
    return row(dataset, PACE, size, **(choices | phase | columns))


def smallest_as_stated(table: str) -> pd.DataFrame:
    """The smallest ensembles of `ablations_as_stated`, by two kinds of duals."""
    rows = ablations_as_stated(table)
    pace = rows[(rows["method"] == PACE) & (rows["n_learners"] == 25)]
    return pd.DataFrame(
        scanned(name, size, duals)
        for name, size in zip(pace["dataset"], pace["final_size"], strict=True)
        for duals in (JUDGED.duals, "uniform")
    )


def whole_space_scanned() -> pd.DataFrame:
    """Pace as Table 4 prints it, by two kinds of duals."""
    sizes = printed_sizes("table_4")[PACE]
    return pd.DataFrame(
        scanned(dataset, size, duals, ensemble=ensemble)
        for (dataset, ensemble), size in sizes.items()  # type: ignore[misc]
        for duals in (JUDGED.duals, "uniform")
    )


def regions_scanned() -> pd.DataFrame:
    """Pace of `regions_as_stated`, for all four figures."""
    parts = []
    for dataset, at_zero in (("Compas", 0.5), ("Fico", 1.0)):
        rows = regions_as_stated(dataset, at_zero)
        pace = rows[rows["method"] == PACE]
        parts += [
            scanned(dataset, size, alpha=alpha, beta=0.0, ensemble=ensemble)
            for alpha, size in zip(pace["alpha"], pace["final_size"], strict=True)
            for ensemble in (RANDOM_FOREST, ADABOOST)
        ]
    return pd.DataFrame(parts)


FORMS = {
    "constraint": (1.0, 100),
    "objective": (3.0, 40),
    "both": (1.5, 50),
    "milp": (20.0, 40),
    "search": (0.1, 90),
}
"""Seconds and samples of each form."""


def loops_as_stated() -> pd.DataFrame:
    """Figs 2, 5, 8 and 9."""
    return pd.DataFrame(
        {
            "dataset": dataset, "n_learners": n, "depth": depth, "seed": 0, "method": form, "seconds": n * seconds,
            "n_samples": samples, "certified": 1, "timed_out": 0, "time_limit": 60.0,
        }
        for dataset in NAMES
        for n, depth in ((10, 2), (25, 2), (10, 3))
        for form, (seconds, samples) in FORMS.items()
    )  # fmt: skip


def history(depth: int = 1, pricing: str = "cart", **changes: Any) -> dict[str, Any]:
    """One row of Fig 10: reduced cost to 0, falling values, linear counts; ``changes`` replace whole columns."""
    columns = {
        "generated": list(range(8)),
        "reduced_cost": [-2.0, -1.0, -0.5, -0.3, -0.2, -0.1, -0.05, -0.01],
        "lp_value": [90.0, 60.0, 50.0, 45.0, 42.0, 41.0, 40.5, 40.0],
        "n_solved": [20 + 2 * k for k in range(8)],
        "n_samples": [100 + 3 * k for k in range(8)],
    } | changes
    steps = json.dumps([list(step) for step in zip(*columns.values(), strict=True)])
    return {
        "n_learners": 25, "depth": depth, "seed": 0, "dataset": "Ionosphere", "method": pricing, "steps": steps,
        "ended": "not negative", "time_limit": 60.0, "start_value": columns["lp_value"][0],
    }  # fmt: skip


def settings_as_stated() -> pd.DataFrame:
    """A grid of one cell for each kind of ensemble; and two runs of each ensemble of Table 4, as small as Fipe's."""
    grid = [row("Seeds", PRUNE, 5, ensemble=ensemble) for ensemble in (RANDOM_FOREST, ADABOOST)]
    fixed = {"alpha": 0.0, "beta": 0.0, "depth": 1, "n_learners": 50}
    sizes = printed_sizes("table_4")[FIPE]
    runs = [
        row(dataset, PRUNE, size, ensemble=ensemble, seed=seed, **fixed)
        for (dataset, ensemble), size in sizes.items()  # type: ignore[misc]
        for seed in (0, 1)
    ]
    return pd.DataFrame(grid + runs)


def as_stated() -> dict[str, pd.DataFrame]:
    """The data of the claims if everything had come out as the paper says."""
    return {
        "table_1": ablations_as_stated("table_1"),
        "table_2": datasets_as_stated(),
        "table_3": ablations_as_stated("table_3"),
        "table_4": whole_space_as_stated(),
        "settings": settings_as_stated(),
        "scan_table_1": smallest_as_stated("table_1"),
        "scan_table_3": smallest_as_stated("table_3"),
        "scan_table_4": whole_space_scanned(),
        "scan_regions": regions_scanned(),
        "fig_3": regions_as_stated("Compas", 0.5),
        "fig_4": regions_as_stated("Fico", 1.0),
        "fig_6": regions_as_stated("Compas", 0.5),
        "fig_7": regions_as_stated("Fico", 1.0),
        **dict.fromkeys(("fig_2", "fig_5", "fig_8", "fig_9"), loops_as_stated()),
        **dict.fromkeys(
            ("fig_10", "fig_11"),
            pd.DataFrame([history(1), history(2), history(1, "exact", reduced_cost=[-9.0] * 8)]),
        ),
    }
