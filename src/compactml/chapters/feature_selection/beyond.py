"""The paper's best run of each instance, the best re-run of its methods here, and ours, side by side."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection.cells import ABOUT, LARGEST_GAP, not_run
from compactml.chapters.feature_selection.cfs_optima import impossible
from compactml.chapters.feature_selection.claims.common import FEATURES, PAPER_LIMIT
from compactml.chapters.feature_selection.datasets import DATASETS, MEASURES
from compactml.chapters.feature_selection.printed import EXACT, PARAMETRIC, printed_runs
from compactml.chapters.feature_selection.readings import COMPATIBLE, taken, with_evidence
from compactml.chapters.feature_selection.trials.solving import PROVED
from compactml.feature_selection.certificate import Certificate
from compactml.study.recording.results import Results

__all__ = [
    "Download", "all_instances", "best_runs", "instances", "printed_best", "ratios", "reruns", "side_by_side",
]  # fmt: skip

GAP_TABLES = {"mrmr": ("table_2", "table_3"), "cfs": ("table_4",)}
OURS = "ours"
RUN_COLUMNS = ["dataset", "measure", "method", "seconds", "gap", "proved"]


def instances() -> pd.DataFrame:
    """The 50 instances in the paper's order: ``dataset``, ``measure``, ``p``."""
    rows = [(one.name, measure, one.p) for one in DATASETS for measure in MEASURES]
    return pd.DataFrame(rows, columns=["dataset", "measure", "p"])


def printed_best() -> pd.DataFrame:
    """The paper's best run of each instance; runs that contradict another method's bound are left out."""
    frames = []
    for measure, tables in GAP_TABLES.items():
        runs = pd.concat([printed_runs(table) for table in tables])
        wrong = [(name, method) for name in FEATURES for method in impossible(name) if measure == "cfs"]
        possible = ~pd.MultiIndex.from_frame(runs[["dataset", "method"]]).isin(wrong)
        frames.append(runs[possible].assign(measure=measure, gap=runs["gap_abs"]))
    return best_runs(pd.concat(frames))


def best_runs(runs: pd.DataFrame) -> pd.DataFrame:
    """The fastest run of each instance that proves the tolerance, else the one with the smallest gap.

    Parameters
    ----------
    runs : DataFrame
        Columns ``dataset``, ``measure``, ``method``, ``outcome``, ``seconds``, ``gap``.

    Returns
    -------
    DataFrame
        Columns `RUN_COLUMNS`.
    """
    exact = runs[runs["method"].isin(EXACT) & ~runs["outcome"].map(not_run)]
    ranked = exact.assign(proved=exact["outcome"] == PROVED, gap=exact["gap"].fillna(np.inf))
    ranked["rank"] = ranked["seconds"].where(ranked["proved"], PAPER_LIMIT)
    ranked = ranked.sort_values(["rank", "gap"], kind="stable").drop_duplicates(["dataset", "measure"])
    return ranked[RUN_COLUMNS].reset_index(drop=True)


def rerun_best(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """The best re-run of the paper's methods here, from the rows of Tables 2 to 4; the gaps are the proved ones."""
    frames = [frame for frame in tables if len(frame)]
    if not frames:
        return pd.DataFrame(columns=RUN_COLUMNS)
    runs = pd.concat(frames)
    return best_runs(runs.assign(gap=runs["gap_proved"]))


def run_text(run: pd.Series | None) -> str:
    """A run in short: its seconds, or the gap that was left at the limit; ≈ for Algorithm 2's estimate.

    A gap that the paper writes as + says no more than that there is no bound.
    """
    if run is None:
        return ""
    if run["proved"]:
        return f"{run['seconds']:.1f} s ({run['method']})"
    if run["gap"] > LARGEST_GAP:
        return f"limit, no bound to speak of ({run['method']})"
    about = ABOUT if run["method"] == PARAMETRIC[1] else ""
    return f"limit, gap {about}{run['gap']:.3f} ({run['method']})"


def side_by_side(ours: pd.DataFrame, rerun: pd.DataFrame) -> pd.DataFrame:
    """All instances: the paper's best run | the best re-run of its methods | ours with its proof.

    Parameters
    ----------
    ours : DataFrame
        Rows of the table "beyond".
    rerun : DataFrame
        From `rerun_best`.
    """
    keys = ["dataset", "measure"]
    wide = instances().set_index(keys)
    for name, runs in (("paper's best", printed_best()), ("re-run here", rerun)):
        texts = {(run["dataset"], run["measure"]): run_text(run) for _, run in runs.iterrows()}
        wide[name] = [texts.get(key, "") for key in wide.index]
    columns = {"value": "value", "bound": "bound", "n_selected": "features", "seconds": "seconds"}
    shown = ours.set_index(keys)[[*columns, "proved", "certificate_verified"]]
    shown = shown.rename(columns={**columns, "certificate_verified": "checked"})
    joined = wide.join(shown).reset_index().astype({"features": "Int64"}).round({"seconds": 3})
    for name in ("proved", "checked"):
        joined[name] = joined[name].astype(float).map({1.0: "yes", 0.0: "no"}).fillna("")
    return joined


def reruns(results: Results) -> list[pd.DataFrame]:
    """Return the recorded runs of the paper's methods: the rows of Tables 2 to 4."""
    return [results.recorded(table) for table in ("table_2", "table_3", "table_4")]


def all_instances(ours: pd.DataFrame, reruns: Iterable[pd.DataFrame], readings: pd.DataFrame) -> pd.DataFrame:
    """All instances as `side_by_side` has them, and whether the reading taken ``fits print``.

    Parameters
    ----------
    ours : DataFrame
        Rows of the table "beyond".
    reruns : iterable of DataFrame
        Rows of Tables 2 to 4.
    readings : DataFrame
        Rows of the table "readings"; may be empty.
    """
    table = side_by_side(ours, rerun_best(reruns))
    fits = taken(readings, with_evidence(readings)).set_index(["dataset", "measure"])[COMPATIBLE].to_dict()
    pairs = zip(table["dataset"], table["measure"], strict=True)
    return table.assign(**{"fits print": [fits.get(pair, "") for pair in pairs]})


LEAST_SECONDS = 1e-3
"""Where a time that print or the clock rounds to 0 is drawn."""


def ratios(table: pd.DataFrame, other: str) -> pd.DataFrame:
    """How many times longer another method takes than ours on the same matrix.

    Parameters
    ----------
    table : DataFrame
        Columns ``method``, ``p``, ``seconds`` (missing where the model was too large), ``proved``.
    other : str
        "Algorithm 2", "MILP3".

    Returns
    -------
    DataFrame
        Columns ``p``, the other's name, ``ours``, ``ratio`` and ``at least``: "stopped" where the other one was, so
        that the ratio is a lower bound. By ``p``.
    """
    mine = table[table["method"] == OURS].set_index("p")
    theirs = table[(table["method"] == other) & table["seconds"].notna()].set_index("p")
    both = theirs[["seconds", "proved"]].join(mine["seconds"].rename(OURS), how="inner")
    both = both.rename(columns={"seconds": other}).assign(ratio=both["seconds"] / both[OURS])
    both["at least"] = np.where(both["proved"] == 1, "", "stopped")
    return both.drop(columns="proved").sort_index().reset_index()


@dataclass(frozen=True)
class Download:
    """A link in a notebook to a certificate, which is part of the page; made by `of`."""

    name: str
    content: bytes

    @classmethod
    def of(cls, certificate: Certificate, name: str) -> Download:
        """The certificate as the file that `Certificate.load` reads."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            certificate.save(path)
            return cls(name, path.read_bytes())

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.content).decode()
        return (
            f'<p class="cm-download"><a download="{escape(self.name)}" '
            f'href="data:application/octet-stream;base64,{data}">Download {escape(self.name)}</a> '
            f"({len(self.content) / 1024:.0f} kB)</p>"
        )
