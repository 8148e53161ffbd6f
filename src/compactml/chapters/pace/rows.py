"""Trials of the Pace chapter as rows, and as the cells of the paper's tables.

A *setting* is an initial ensemble with its region: the kind of ensemble, the number of its learners, their depth, alpha
and beta. Means are over repetitions (``seed``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from compactml.chapters.pace.datasets import BY_KEY, DATASETS
from compactml.chapters.pace.printed import QUANTITIES
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.study.chapter import Kind
from compactml.study.frames import frame
from compactml.study.recording.origins import time_limits
from compactml.study.results import columns
from compactml.study.running.worker import Finished

__all__ = [
    "COMPRESSION", "ENSEMBLES", "ISOLATION", "NAMES", "READINGS", "REBINNED", "SCALED", "SETTING", "SIZES_BESIDE",
    "at_limit", "by_setting", "cell_texts", "dataset_cells", "geometric", "in_order", "in_table_order", "ratios",
    "setting_text", "size_cells", "sizes_of", "speedups", "stopped", "stopping_limits", "trial_rows",
]  # fmt: skip

NAMES = [one.name for one in DATASETS]
ENSEMBLES = {RANDOM_FOREST: "random forest", ADABOOST: "AdaBoost"}
SETTING = ("ensemble", "n_learners", "depth", "alpha", "beta")
ISOLATION = ("isolation_trees", "isolation_samples")
"""Parameters of a trial whose region has flagged points."""
COMPRESSION = (*SETTING, *ISOLATION, "pricing", "generated_depth")
"""Parameters of a trial that compresses an ensemble."""
REBINNED = (*COMPRESSION, "deciles_of")
"""The same of one that names the reading of the bins."""
READINGS = (*SETTING, *ISOLATION, "duals", "depth_limit", "order", "separation")
"""Parameters of a trial under choices that the paper leaves open."""
SIZES_BESIDE = (*SETTING, *ISOLATION, "depth_limit")
"""Parameters of a trial that counts leaves and tests beside learners."""
SCALED = (*SETTING, *ISOLATION, "bound_limit")
"""Parameters of a trial that bounds the size of a certified part."""
TEXTS = (
    "duals", "depth_limit", "order", "separation", "dataset", "ensemble", "pricing", "deciles_of", "kind",
    "method", "error", "ended", "steps",
)  # fmt: skip
"""Columns that hold text."""
MARKS = {"open": "†", "uncertified": "‡"}
"""Behind a size: not proved to be the smallest, so a smaller one may exist; some pair of labels is not proved."""


def trial_rows(
    finished: Sequence[Finished], kinds: Sequence[Kind], asked: Sequence[str] = COMPRESSION
) -> pd.DataFrame:
    """One row per trial: what was asked and what was measured; datasets under their printed names.

    Parameters
    ----------
    finished : sequence of Finished
    kinds : sequence of Kind
        Of the table's trials: the fields of their results are columns.
    asked : sequence of str
        Parameters of the table's trials, which are columns too.
    """
    measured = columns(*(kind.result for kind in kinds))
    names = ["dataset", *sorted(asked), "seed", "kind", "method", "time_limit", *measured]
    rows = [
        {
            "dataset": BY_KEY[item.trial.dataset].name,
            **dict(item.trial.parameters),
            "seed": item.trial.seed,
            "kind": item.trial.kind,
            "method": item.trial.method,
            "time_limit": item.trial.time_limit,
            **item.result,
        }
        for item in finished
    ]
    return frame(rows, names, TEXTS)


def at_limit(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that their time limit stopped; none of a table of which no kind says so."""
    return rows[(rows.filter(items=["timed_out"]) == 1).any(axis="columns")]


def stopped(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that their time limit stopped, or all of them if none was.

    Tables of which no kind says whether it was stopped have no column ``timed_out``: all their runs count.
    """
    late = at_limit(rows)
    return rows if late.empty else late


def stopping_limits(rows: pd.DataFrame) -> str:
    """Return the time limits of the runs that one stopped: a run that ended earlier has the same result with any."""
    return time_limits(stopped(rows))


def in_order(datasets: Sequence[str]) -> list[str]:
    """Datasets in the order of Table 2."""
    return [name for name in NAMES if name in set(datasets)]


def in_table_order(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return rows sorted by some columns, datasets in the order of Table 2."""
    place = {name: i for i, name in enumerate(NAMES)}
    return frame.sort_values(
        by, key=lambda one: one.map(place) if one.name == "dataset" else one
    ).reset_index(drop=True)


def setting_text(n_learners: int, depth: int) -> str:
    """An initial ensemble in a label: "25 × d2"."""
    return f"{n_learners} × d{depth}"


def dataset_cells(rows: pd.DataFrame) -> pd.DataFrame:
    """Cells of Table 2, from its rows: columns ``dataset``, ``quantity``, ``value``."""
    ours = {
        "binary": "binary", "numerical": "numerical", "samples": "n", "classes": "classes", "share 1": "share_1",
        "share 2": "share_2", "share 3": "share_3",
    }  # fmt: skip
    wide = pd.DataFrame({name: rows[ours[name]] for name in QUANTITIES.values()})
    long = wide.assign(dataset=rows["dataset"]).melt("dataset", var_name="quantity")
    return long.dropna().reset_index(drop=True)


def size_cells(rows: pd.DataFrame, by: str = "N") -> pd.DataFrame:
    """Cells of Tables 1, 3 and 4: means over the repetitions that found something.

    Parameters
    ----------
    rows : DataFrame
        Rows.
    by : {"N", "ensemble"}
        What heads the columns.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``method``, ``by``, ``value`` (size), ``generated`` (a share), ``seconds``, ``certified``
        (all of the repetitions) and ``open`` (any of them was stopped by its limit, or is larger than its bound).
    """
    key = ["dataset", "method", by]
    found = rows.rename(columns={"n_learners": "N", "final_size": "value", "generated_in_final": "generated"})
    found["open"] = (found["timed_out"] == 1) | (found["lower_bound"] < found["value"])
    groups = found.dropna(subset="value").groupby(key, sort=False)
    means = groups[["value", "generated", "seconds"]].mean()
    means["certified"] = groups["certified"].min() == 1
    means["open"] = groups["open"].any()
    return means.reset_index()


def cell_texts(cells: pd.DataFrame) -> list[str]:
    """Cells as "7† · 100 % · 19 s"."""
    texts = []
    for row in cells.to_dict("records"):
        marks = MARKS["open"] * bool(row["open"]) + MARKS["uncertified"] * (not row["certified"])
        size = f"{row['value']:.1f}".removesuffix(".0")
        share = "–" if row["method"] in ("Pruning only", "Fipe") else f"{100 * row['generated']:.0f} %"
        seconds = row["seconds"]
        texts.append(f"{size}{marks} · {share} · {seconds:,.{0 if seconds >= 10 else 1}f} s")
    return texts


def sizes_of(rows: pd.DataFrame, index: Sequence[str], *, certified: bool = True) -> pd.DataFrame:
    """Mean final sizes: a row for each ``index``, a column for each method.

    Parameters
    ----------
    rows : DataFrame
        Rows.
    index : sequence of str
        Columns that name a row, say "dataset" and "n_learners".
    certified : bool, default True
        Leave out rows of the index in which a method has a run without a certificate: an uncertified size is no size.
    """
    sizes = rows["final_size"].astype(float)
    if certified:
        sizes = sizes.where(rows["certified"] == 1)
    groups = rows.assign(final_size=sizes).groupby([*index, "method"], sort=False)["final_size"]
    complete = groups.mean().where(groups.count() == groups.size())
    return complete.unstack("method")  # noqa: PD010, nothing to add up


def geometric(values: pd.Series) -> float:
    """Geometric mean; not a number without values."""
    return float(np.exp(np.log(values.astype(float)).mean())) if len(values) else float("nan")


def ratios(rows: pd.DataFrame, measure: str, form: str, reference: str = "constraint") -> pd.DataFrame:
    """A measure of one form of separation over that of another, in the runs that have both.

    A run that reached its limit counts with the limit: if it is the dividend, the ratio is a lower bound; runs in which
    the reference did not finish are left out.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``n_learners``, ``depth``, ``seed``, ``ratio``, ``bound`` (1 if a lower bound only).
    """
    run = ["dataset", "n_learners", "depth", "seed"]
    both = [rows[rows["method"] == name].set_index(run) for name in (form, reference)]
    joined = both[0][[measure, "certified"]].join(
        both[1][[measure, "certified"]], how="inner", rsuffix="_reference"
    )
    joined = joined[joined["certified_reference"] == 1].reset_index()
    joined["ratio"] = joined[measure].astype(float) / joined[f"{measure}_reference"].astype(float).clip(
        lower=1e-9
    )
    joined["bound"] = (joined["certified"] != 1).astype(int)
    return joined[[*run, "ratio", "bound"]]


def by_setting(compared: pd.DataFrame) -> pd.Series:
    """Return the geometric mean of `ratios` over datasets and runs, by initial ensemble."""
    settings = compared[["depth", "n_learners"]].drop_duplicates().sort_values(["depth", "n_learners"])
    means = {}
    for depth, n in settings.itertuples(index=False):
        alike = compared[(compared["depth"] == depth) & (compared["n_learners"] == n)]
        means[setting_text(int(n), int(depth))] = geometric(alike["ratio"])
    return pd.Series(means, dtype=float)


def speedups(rows: pd.DataFrame, forms: Sequence[str]) -> pd.DataFrame:
    """Return the time of each form over that of the constraint form, until global faithfulness.

    Parameters
    ----------
    rows : DataFrame
        Rows of Fig 2 or 5.
    forms : sequence of str

    Returns
    -------
    DataFrame
        A row per initial ensemble and one over all. Per form a column with geometric means over datasets and runs
        (one at the limit counts with it), and one with their numbers.
    """
    columns: dict[str, pd.Series] = {}
    settings: list[object] = []
    for form in forms:
        compared = ratios(rows, "seconds", form)
        means = by_setting(compared)
        settings += [setting for setting in means.index if setting not in settings]
        columns[form] = pd.concat([means, pd.Series({"all": geometric(compared["ratio"])})])
        n_bounds = int(compared["bound"].sum())
        columns[f"runs, {form}"] = pd.Series(
            {"all": f"{len(compared)}, {n_bounds} at the limit"}, dtype=object
        )
    frame = pd.DataFrame(columns).reindex([*settings, "all"])
    return frame.rename_axis("setting").reset_index().fillna("")
