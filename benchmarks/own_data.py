"""The methods and the README's examples as a user calls them: ``python -m benchmarks.own_data [LIMIT] [NAME ...]``.

Twelve datasets, seven of them of no paper here, each method with its defaults and the same limit in seconds. Each
call has a process of its own. It fails where a process was killed or ended in an error, where a limit ended the
work without a warning, and where a result is larger, worse or less certain than what went in. The exit code is 1
if any call fails.
"""

from __future__ import annotations

import json
import math
import re
import resource
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split

from benchmarks import tables
from compactml.watch import EndedEarlyWarning

ROOT = Path(__file__).resolve().parents[1]
MAX_ROWS = 60_000
LIMIT = 60.0  # the methods' default
PATIENCE = 20  # seconds of waiting for one of the processor

Table = tuple[pd.DataFrame, pd.Series]


@dataclass(frozen=True)
class Row:
    """What one call gave; `size` counts what the method makes small, `quality` is what it is judged by on its rows."""

    size_before: float = float("nan")
    size_after: float = float("nan")
    quality_before: float = float("nan")
    quality_after: float = float("nan")
    proved: bool = False
    certified: bool = True
    warned: bool = False
    test_accuracy: float = float("nan")
    seconds: float = float("nan")
    megabytes: float = float("nan")

    def faults(self) -> list[str]:
        """Name what a user would have been wronged by."""
        named = {
            "larger than its input": self.size_after > self.size_before,
            "worse than its input": self.quality_after < self.quality_before - 1e-9,
            "less certain than its input": not self.certified,
            "ended early without a word": not self.proved and not self.warned,
        }
        return [name for name, holds in named.items() if holds]


def some_rows(name: str) -> Table:
    """Return a dataset's table and classes, at most `MAX_ROWS` rows of it."""
    X, y = tables.table(name)
    kept = X.sample(min(len(X), MAX_ROWS), random_state=0).index
    return X.loc[kept], y.loc[kept]


def sharing(train: Table, test: Table, limit: float) -> Row:
    """Distinct conditions of a forest, and its accuracy on the training rows' paths (which may not change)."""
    from compactml.condition_sharing import share_conditions

    forest = RandomForestClassifier(random_state=0, n_jobs=1).fit(*train)
    shared = share_conditions(forest, train[0])
    return Row(
        size_before=shared.n_conditions_before_,
        size_after=shared.n_conditions_after_,
        quality_before=forest.score(*train),
        quality_after=accuracy_score(train[1], shared.ensemble_.predict(train[0])),
        proved=True,
        certified=shared.certificate_.n_paths_changed == 0,
        test_accuracy=accuracy_score(test[1], shared.ensemble_.predict(test[0])),
    )


def pace(train: Table, test: Table, limit: float) -> Row:
    """Trees of a default forest, and whether the small one provably agrees with it."""
    from compactml.pace import PaceClassifier

    begin = time.monotonic()
    model = PaceClassifier(time_limit=limit).fit(*train)
    return Row(
        size_before=len(model.estimator_.estimators_),
        size_after=model.n_learners_,
        proved=time.monotonic() - begin < limit,  # else a limit ended the work
        certified=model.certificate_.faithful,
        test_accuracy=model.score(*test),
    )


def rules(train: Table, test: Table, limit: float) -> Row:
    """Errors of the rules, against the most frequent class."""
    from compactml.boolean_rules import BooleanRuleClassifier

    model = BooleanRuleClassifier(time_limit=limit).fit(*train)
    return Row(
        quality_before=float(train[1].value_counts(normalize=True).iloc[0]),
        quality_after=model.score(*train),
        proved=float(np.max(model.gap_)) <= 1e-6,
        test_accuracy=model.score(*test),
    )


def selection(train: Table, test: Table, limit: float) -> Row:
    """Value of five features by CFS, against the greedy five; a forest on them is tested."""
    from compactml.feature_selection import CFSSelector

    size = min(5, train[0].shape[1])
    selector = CFSSelector(k=size, time_limit=limit).fit(*train)
    greedy = CFSSelector(k=size, method="greedy").fit(*train)
    kept = selector.get_support()
    coded = tables.numbers(pd.concat([train[0], test[0]]).loc[:, kept])  # one code of each text for both
    forest = RandomForestClassifier(random_state=0, n_jobs=1).fit(coded[: len(train[0])], train[1])
    return Row(
        size_before=train[0].shape[1],
        size_after=int(kept.sum()),
        quality_before=greedy.result_.value,
        quality_after=selector.result_.value,
        proved=selector.result_.proved,
        test_accuracy=forest.score(coded[len(train[0]) :], test[1]),
    )


def pruning(train: Table, test: Table, limit: float) -> Row:
    """Members of a default pool, and accuracy on the rows of the selection against the pool's best member."""
    from compactml.ensemble_pruning import ClassifierPool, PrunedEnsembleClassifier

    fitting, choosing = train_test_split(
        np.arange(len(train[0])), test_size=0.3, random_state=0, stratify=train[1]
    )
    held = train[0].iloc[choosing], train[1].iloc[choosing]
    pool = ClassifierPool(40, random_state=0).fit(train[0].iloc[fitting], train[1].iloc[fitting])
    truth = np.searchsorted(pool.classes_, held[1])
    model = PrunedEnsembleClassifier(pool, prefit=True, time_limit=limit).fit(*held)
    return Row(
        size_before=len(pool.estimators_),
        size_after=len(model.selected_),
        quality_before=float((pool.codes(held[0]) == truth[:, None]).mean(axis=0).max()),
        quality_after=model.score(*held),
        proved=float(np.max(model.gap_)) <= 1e-6,
        test_accuracy=model.score(*test),
    )


METHODS: dict[str, Callable[[Table, Table, float], Row]] = {
    "share_conditions": sharing,
    "PaceClassifier": pace,
    "BooleanRuleClassifier": rules,
    "CFSSelector": selection,
    "PrunedEnsembleClassifier": pruning,
}
FORESTS = ("share_conditions", "PaceClassifier")  # they take numbers only, as scikit-learn's forests do


def call(name: str, method: str, limit: float) -> Row:
    """Return what one method gives on one dataset, in this process."""
    X, y = some_rows(name)
    X = pd.DataFrame(tables.numbers(X)) if method in FORESTS else X
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    begin = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        row = METHODS[method]((X_train, y_train), (X_test, y_test), limit)
    return replace(
        row,
        warned=any(issubclass(one.category, EndedEarlyWarning) for one in caught),
        seconds=time.process_time() - begin,
        megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def readme() -> None:
    """Run the README's examples, one after the other as they stand."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^  ```python\n(.*?)^  ```$", text, flags=re.MULTILINE | re.DOTALL)
    exec("".join(textwrap.dedent(block) for block in blocks), {})


def process(arguments: list[str], seconds: float) -> tuple[str, str]:
    """Run this module in a process of its own; return what it printed and how it ended, if badly.

    It is ended after ``seconds`` of the processor, so that another program on the machine does not end it, and after
    `PATIENCE` times as long if it does nothing.
    """
    command = [sys.executable, "-m", "benchmarks.own_data", *arguments]
    used = math.ceil(seconds)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (used, used + 1))

    try:
        ran = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE * seconds, preexec_fn=limited
        )
    except subprocess.TimeoutExpired:
        return "", f"killed after {PATIENCE * seconds:.0f} s"
    if ran.returncode == -signal.SIGXCPU:
        return "", f"killed after {used} s of the processor"
    if ran.returncode < 0:
        return "", f"killed by signal {-ran.returncode}"
    return ran.stdout, (ran.stderr.strip().splitlines() or ["failed"])[-1] if ran.returncode else ""


def main(names: list[str], limit: float) -> int:
    """Print a line for each call and return how many went wrong."""
    printed, ended = process(["--readme"], 10 * LIMIT)
    print("README:", ended or printed, sep="\n", flush=True)
    rows, wrong = [], int(bool(ended))
    for name in names:
        for method in METHODS:
            printed, ended = process(["--call", name, method, str(limit)], 10 * limit + 600)
            row = None if ended else Row(**json.loads(printed.splitlines()[-1]))
            faults = [ended] if row is None else row.faults()
            wrong += bool(faults)
            rows.append(
                {
                    "dataset": name,
                    "method": method,
                    **(asdict(row) if row else {}),
                    "faults": "; ".join(faults),
                }
            )
            print(pd.DataFrame(rows[-1:]).to_string(index=False, header=len(rows) == 1), flush=True)
    print(f"{len(rows)} calls, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--readme"]:
            readme()
        case ["--call", name, method, limit]:
            print(json.dumps(asdict(call(name, method, float(limit)))))
        case [limit, *names]:
            sys.exit(bool(main(names or [*tables.FOREIGN, *tables.REGISTERED], float(limit))))
        case _:
            sys.exit(bool(main([*tables.FOREIGN, *tables.REGISTERED], LIMIT)))
