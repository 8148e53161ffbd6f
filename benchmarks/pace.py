"""Speed of the forms of separation, as ratios of times on the same weights and one thread.

The weights are the first, the middle and the last of (P1) on the way to global faithfulness (alpha = beta = 0): at the
first ones a sample is easy to find, at the last ones there is none and that must be proved. Every form builds its
model anew. A form that does not finish at the limit gives a lower bound on its ratio; forms that answer differently
are an error.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from compactml.datasets.prepared import prepared
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import Setting, make_setting
from compactml.pace.separation.separator import Separation, Separator
from compactml.pace.weights.master import LinearMaster
from compactml.study.keys.fingerprint import data_identity

FREE_SOLVER = "highs"  # of the mixed-integer form: the one that everybody has
N_TREES = 50
N_BINS = 10
SEED = 0
LIMIT = 20.0  # seconds for one form on one vector of weights
MAX_ROUNDS = 500
DATASETS = ("breast_cancer_original_fipe", "pima", "seeds", "fico_binary")
DEPTHS = (2, 3)
RATIOS = (
    ("objective", "constraint", ">= 5"),
    ("milp", "constraint", ">= 10"),
    ("objective", "search", ">= 5"),
    ("milp", "search", ">= 10"),
    ("constraint", "search", ""),
)
"""Slower form, faster form, and the aim for the geometric mean."""
Seconds = dict[str, tuple[float, bool]]
"""Of each form its time, and whether it finished."""
Row = dict[str, str]


def forest_setting(key: str, depth: int) -> Setting:
    """A forest on quantile bins and the whole space as its region."""
    dataset = prepared(key)
    columns = [column.to_numpy(dtype=float) for _, column in dataset.X.items()]
    inner = np.linspace(0.0, 1.0, N_BINS + 1)[1:-1]
    bins = [np.searchsorted(np.unique(np.quantile(column, inner)), column) for column in columns]
    X = np.column_stack(bins)
    return make_setting(
        RandomForestClassifier(N_TREES, max_depth=depth, random_state=SEED).fit(X, dataset.y), X
    )


def weights(setting: Setting) -> list[IntegerEnsemble]:
    """First, middle and last weights of (P1) until nothing separates."""
    samples = FaithfulnessSet(setting.region, setting.samples)
    separator = Separator(setting.grid, setting.region)
    passed: list[IntegerEnsemble] = []
    with LinearMaster(samples.margins) as master:
        while len(passed) < MAX_ROUNDS:
            n_rows = len(samples.integers)
            passed.append(samples.rounded(master.solve().weights))
            if samples.add_samples(separator.separate(passed[-1]).points) == 0:
                break
            master.add_rows(samples.margins[n_rows:])
    return [passed[0], passed[len(passed) // 2], passed[-1]]


def measure(setting: Setting, current: IntegerEnsemble) -> Seconds:
    """Every form on the same weights.

    Raises
    ------
    AssertionError
        Two forms that finished give different answers.
    """
    answers: dict[str, Separation] = {}
    for form in sorted({form for pair in RATIOS for form in pair[:2]}):
        separator = Separator(setting.grid, setting.region, form=form, solver=FREE_SOLVER, random_state=SEED)
        answers[form] = separator.separate(current, time_limit=LIMIT)
    for pair in answers["search"].proved:
        given = {
            form: found.proved[pair] for form, found in answers.items() if found.proved[pair] != "unknown"
        }
        if len(set(given.values())) > 1:
            raise AssertionError(f"pair {pair}: {given}")
    return {form: (found.seconds, "unknown" not in found.proved.values()) for form, found in answers.items()}


def mean_ratio(measured: list[Seconds], slower: str, faster: str) -> str:
    """Geometric mean, a lower bound where the slower form did not always finish.

    Weights on which the faster form did not finish say nothing and are left out.
    """
    used = [one for one in measured if one[faster][1]]
    if not used:
        return "not finished"
    logs = [np.log(one[slower][0] / one[faster][0]) for one in used]
    bound = "" if all(one[slower][1] for one in used) else "> "
    return f"{bound}{np.exp(np.mean(logs)):.1f}"


def rows(measured: dict[str, list[Seconds]]) -> Iterator[Row]:
    """For each ratio one row per setting and one for all settings."""
    together = [one for part in measured.values() for one in part]
    for slower, faster, aim in RATIOS:
        name = f"{slower} / {faster}"
        for setting, part in measured.items():
            yield {
                "ratio of times": name,
                "on": setting,
                "ratio": mean_ratio(part, slower, faster),
                "aim": "",
            }
        overall = mean_ratio(together, slower, faster)
        yield {"ratio of times": name, "on": "geometric mean of all", "ratio": overall, "aim": aim}


def table() -> pd.DataFrame:
    """One row per ratio and setting, then one for all settings."""
    measured: dict[str, list[Seconds]] = {}
    tasks = [(key, depth) for key in DATASETS if data_identity(key).at_hand for depth in DEPTHS]
    with threadpool_limits(1):
        for key, depth in tqdm(tasks, "pace", disable=None):
            setting = forest_setting(key, depth)
            passed = weights(setting)
            if not measured:
                measure(setting, passed[0])  # no form pays for loading its solver
            measured[f"{key}, depth {depth}"] = [measure(setting, one) for one in passed]
    return pd.DataFrame(rows(measured))


def note() -> str:
    """What was the same in all settings, and which data were not at hand."""
    lacking = [key for key in DATASETS if not data_identity(key).at_hand]
    lines = [f"{N_TREES} trees, limit {LIMIT:.0f} s for each form and weights, MILP by {FREE_SOLVER}"]
    return "\n".join([*lines, *([f"not at hand: {', '.join(lacking)}"] if lacking else []), ""])
