"""Speed of condition sharing, as ratios of times measured in one trial on one thread."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, RandomForestClassifier
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from benchmarks import tables
from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.trials.beyond import run_evaluator, run_search, run_speed
from compactml.condition_sharing import share_conditions
from compactml.study import Trial
from compactml.study.keys.fingerprint import data_identity

TARGET = 2.0  # sharing should cost at most twice what one traversal of the rows costs
LEARNERS = {"RF": RandomForestClassifier, "ET": ExtraTreesClassifier, "GB": GradientBoostingClassifier}
FORESTS = (
    *(("RF", name) for name in ("penguins", "hdma", "fair", "hi", "spambase", "diamonds", "madelon")),
    *(("ET", name) for name in ("hdma", "hi")),
    *(("GB", name) for name in ("hdma", "spambase")),
)
MANY_ROWS = 20_000
MAGIC_SHAPE = "synthetic:19020x10"
LARGE = "synthetic:300000x28"
SEARCHES = ((250, 125), (500, 250), (1_000, 500))
Row = dict[str, str | float]


def trial(kind: str, dataset: str, learner: str = "", **parameters: int) -> Trial:
    """A trial of the chapter's own measurements."""
    return Trial(NAME, kind, dataset, method=learner, parameters=tuple(parameters.items()))


def public(learner: str, name: str) -> Iterator[Row]:
    """`share_conditions` as a user calls it, against ``apply``: the fastest of some calls of each."""
    frame, y = tables.table(name)
    X = tables.numbers(frame)
    forest = LEARNERS[learner](n_estimators=100, random_state=0).fit(X, y)
    share_conditions(forest, X)
    sharing, applying = [], []
    for _ in range(3 if len(X) > MANY_ROWS else 7):
        applying.append(processor_seconds(lambda: forest.apply(X)))
        sharing.append(processor_seconds(lambda: share_conditions(forest, X)))
    ratio = min(sharing) / min(applying)
    data = f"{name}, {learner}, 100 trees"
    yield {"ratio of times": "share_conditions / apply", "on": data, "ratio": ratio, "aim": f"<= {TARGET}"}


def processor_seconds(function: Callable[[], Any]) -> float:
    """What one call takes of the processor."""
    started = time.process_time()
    function()
    return time.process_time() - started


def sharing(dataset: str, learner: str, trees: int) -> Iterator[Row]:
    """Admissible intervals and minimum intersecting sets alone, without a copy and a certificate, against ``apply``."""
    result: dict[str, Any] = run_speed(trial("speed", dataset, learner, trees=trees))
    data = f"{dataset}, {learner}, {trees} trees"
    yield {"ratio of times": "intervals and groups / apply", "on": data, "ratio": result["ratio"]}


def search(p: int, c: int) -> Iterator[Row]:
    """The paper's dynamic program against the parametric search, same intervals and exceptions."""
    result: dict[str, Any] = run_search(trial("search", "synthetic:intervals", p=p, c=c))
    ratio = result["seconds_dynamic"] / result["seconds"]
    data = f"{p} intervals, {c} exceptions"
    yield {"ratio of times": "dynamic program / parametric search", "on": data, "ratio": ratio}


def evaluator(dataset: str, learner: str, trees: int) -> Iterator[Row]:
    """Inference by a bank of comparators and by ranks, before sharing against after it."""
    result: dict[str, Any] = run_evaluator(trial("evaluator", dataset, learner, trees=trees))
    data = f"{dataset}, {learner}, {trees} trees"
    for way, name in (("bank", "comparator bank"), ("rank", "evaluation by ranks")):
        for model, after in (("shared", "after sharing"), ("exceptions", "after sharing with c = 0.1")):
            ratio = result[f"{way}_seconds_before"] / result[f"{way}_seconds_{model}"]
            yield {"ratio of times": f"{name}, before / {after}", "on": data, "ratio": ratio}


def measurements() -> list[Callable[[], Iterator[Row]]]:
    """What is measured; the set of HEPMASS's shape takes minutes and needs ``BENCH_LARGE=1``."""
    magic = "magic" if data_identity("magic").at_hand else MAGIC_SHAPE
    sets = [(magic, 100)] + ([(LARGE, 20)] if os.environ.get("BENCH_LARGE") == "1" else [])
    return [
        *(partial(public, *forest) for forest in FORESTS if tables.at_hand(forest[1])),
        *(partial(sharing, data, learner, trees) for data, trees in sets for learner in ("RF", "ERT")),
        *(partial(search, p, c) for p, c in SEARCHES),
        *(partial(evaluator, "wdbc", learner, 100) for learner in ("RF", "ERT")),
    ]


def table() -> pd.DataFrame:
    """One row per ratio: what is divided by what, on which data, the ratio, and the aim where there is one."""
    with threadpool_limits(1):
        rows = [
            row for measure in tqdm(measurements(), "condition sharing", disable=None) for row in measure()
        ]
    return pd.DataFrame(rows).fillna({"aim": ""})


def note() -> str:
    """Say which data stood in for others, and which are missing."""
    missing = {name for _, name in FORESTS if not tables.at_hand(name)}
    lines = [f"not at hand: {', '.join(sorted(missing))}."] if missing else []
    if not data_identity("magic").at_hand:
        lines.append(f"magic is not at hand: generated rows of its shape ({MAGIC_SHAPE}) instead.")
    return "\n".join(lines)
