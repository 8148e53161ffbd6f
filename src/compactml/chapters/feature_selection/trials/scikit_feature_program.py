"""One selection by scikit-feature, in the environment of ``environments/scikit-feature.txt``.

Run as a program with a file of a table's values and classes, the measure and a limit in seconds of processor time, see
`compactml.chapters.feature_selection.trials.scikit_feature`; prints one line of JSON. It imports nothing of this
project, and scikit-feature only when it runs.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from importlib.metadata import version
from typing import Any

import numpy as np


def selected(X: Any, y: Any, measure: str) -> list[int]:
    """Return the columns as scikit-feature returns them, in the order in which it chose them."""
    if measure == "mrmr":
        from skfeature.function.information_theoretical_based.MRMR import mrmr as select
    else:
        from skfeature.function.statistical_based.CFS import cfs as select
    return [int(column) for column in select(X, y, mode="index")]


def limit_processor_time(seconds: float) -> None:
    """From now on; when it is used up the system ends this process (SIGXCPU)."""
    used = int(time.process_time() + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def main(file: str, measure: str, limit: float) -> None:
    """Select, print."""
    with np.load(file) as stored:
        X, y = stored["X"], stored["y"]
    limit_processor_time(limit)
    started = time.process_time()
    columns = selected(X, y, measure)
    seconds = time.process_time() - started
    program = f"skfeature-chappers {version('skfeature-chappers')}"
    print(json.dumps({"columns": columns, "seconds": seconds, "program": program}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
