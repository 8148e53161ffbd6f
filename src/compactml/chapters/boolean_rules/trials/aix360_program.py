"""One fit of AIX360's BooleanRuleCG, in the environment of ``environments/aix360.txt``.

Run as a program with a file of literals and a price, see `compactml.chapters.boolean_rules.trials.aix360`; writes one
line of JSON. It imports nothing of this project, whose libraries are too new for it, and AIX360 only when it runs.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from importlib.metadata import version

import numpy as np
import pandas as pd

SETTINGS = {"K": 10, "D": 10, "B": 5, "solver": "ECOS"}
"""Columns per round, largest clause, width of the beam: the package's defaults, written out."""


def table(problem: np.lib.npyio.NpzFile) -> pd.DataFrame:
    """The literals under the labels (column, sign, value) by which the beam search leaves out redundant ones."""
    values = [
        float(value) if sign in ("<=", ">") else value
        for sign, value in zip(problem["signs"], problem["values"], strict=True)
    ]
    labels = pd.MultiIndex.from_arrays(
        [problem["columns"], problem["signs"], values], names=["feature", "operation", "value"]
    )
    return pd.DataFrame(problem["matrix"].astype(int), columns=labels)


def main(file: str, price: float) -> None:
    """Fit with lambda0 = lambda1 = ``price`` and print the chosen clauses, as lists of literals, and the seconds."""
    warnings.simplefilter("ignore")  # cvxpy warns of a deprecated operator at every use
    from aix360.algorithms.rbm import BooleanRuleCG

    with np.load(file) as problem:
        X, y = table(problem), problem["y"].astype(int)
    model = BooleanRuleCG(lambda0=price, lambda1=price, silent=True, **SETTINGS)
    started = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - started
    chosen = model.z.to_numpy()[:, np.asarray(model.w) > 0.5]
    result = {
        "clauses": [np.flatnonzero(clause).tolist() for clause in chosen.T],
        "seconds": seconds,
        "rounds": model.it,
        "solver": f"AIX360 {version('aix360')}, ECOS {version('ecos')} through cvxpy {version('cvxpy')}",
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
