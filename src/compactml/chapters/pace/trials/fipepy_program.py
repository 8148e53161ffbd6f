"""One pruning by fipepy, the published code of Fipe, in the environment of ``environments/fipepy.txt``.

Run as a program with a file of one ensemble's training data and settings and a limit in seconds of processor time, see
`compactml.chapters.pace.trials.fipepy`; refits the ensemble, prunes it, and prints one line of JSON. It imports nothing
of this project, and fipepy and Gurobi only when it runs.
"""

from __future__ import annotations

import hashlib
import json
import resource
import sys
import time
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

SIZE_LIMIT = 10010  # Gurobi's error for a model that the licence does not take
MOST_CALLS = 10_000  # as in the experiments of its authors; after the default of 100 it ends without a proof
LARGEST = {"adaboost": 1e5, "random_forest": 1e4}  # the largest weight, from the same experiments


def digest(model: Any) -> str:
    """Return the hash of all trees and weights of a fitted ensemble: two environments must speak about the same one."""
    hasher = hashlib.sha256()
    for member in model.estimators_:
        tree = member.tree_
        for array in (tree.feature, tree.threshold, tree.children_left, tree.children_right, tree.value):
            hasher.update(np.ascontiguousarray(array).tobytes())
    hasher.update(np.asarray(getattr(model, "estimator_weights_", [])).tobytes())
    return hasher.hexdigest()


def ensemble(data: dict[str, Any]) -> Any:
    """The fitted ensemble, by the same calls as `compactml.chapters.pace.trials.ensembles.fitted`."""
    n, depth, seed = int(data["n_learners"]), int(data["depth"]), int(data["seed"])
    if str(data["ensemble"]) == "random_forest":
        model: Any = RandomForestClassifier(n, max_depth=depth, random_state=seed)
    else:
        model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=n, random_state=seed)
    return model.fit(data["X"], data["y"])


def pruner(model: Any, data: dict[str, Any]) -> Any:
    """Fipe on the samples given, in Gurobi with one thread; the bins are left as they are (``tol``)."""
    import gurobipy as gp
    from fipe import FIPE, FeatureEncoder

    n = len(model.estimators_)
    weights = np.asarray(getattr(model, "estimator_weights_", np.ones(n)))[:n]
    encoder = FeatureEncoder(pd.DataFrame(data["values"]).rename(columns=str), tol=-np.inf)
    env = gp.Env(params={"OutputFlag": 0, "Threads": 1})
    return FIPE(
        base=model,
        encoder=encoder,
        weights=weights / weights.max() * LARGEST[str(data["ensemble"])],
        norm={"l0": 0, "l1": 1}[str(data["norm"])],
        env=env,
        eps=1e-6,
        max_oracle_calls=MOST_CALLS,
    )


def prune(model: Any, data: dict[str, Any]) -> dict[str, Any]:
    """Weights and effort, or why there are none; certified if the last call of the oracle found nothing."""
    import gurobipy as gp

    started = time.process_time()
    try:
        fipe = pruner(model, data)
        fipe.build()
        fipe.add_samples(data["samples"])
        fipe.prune()
    except gp.GurobiError as error:
        if error.errno != SIZE_LIMIT:
            raise
        return {"outcome": "licence too small"}
    return {
        "seconds": time.process_time() - started,
        "weights": np.asarray(fipe.weights).tolist(),
        "calls": fipe.n_oracle_calls,
        "outcome": "certified" if fipe.SolCount > 0 and fipe.n_oracle_calls < MOST_CALLS else "not certified",
    }


def limit_processor_time(seconds: float) -> None:
    """From now on; when it is used up the system ends this process (SIGXCPU), whatever the solver is doing."""
    used = int(time.process_time() + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def main(file: str, limit: float) -> None:
    """Refit, prune, print."""
    with np.load(file) as stored:
        data = dict(stored)
    model = ensemble(data)
    limit_processor_time(limit)
    solver = f"fipepy {version('fipepy')}, Gurobi {version('gurobipy')} size-limited"
    print(json.dumps({"digest": digest(model), "solver": solver, **prune(model, data)}))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
