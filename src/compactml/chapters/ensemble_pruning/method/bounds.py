"""What the first notebook shows of bounds: conflicts, four points, random instances, and a pool on real data."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from compactml.chapters.ensemble_pruning.method import pictures, small
from compactml.chapters.ensemble_pruning.method.examples import RARE, every_ensemble, solve
from compactml.chapters.ensemble_pruning.method.small import votes_of
from compactml.ensemble_pruning import (
    BranchingBound,
    ClassifierPool,
    PruningInstance,
    PruningResult,
    asummability_bound,
    branching_bound,
    isotonic_bound,
)
from compactml.ensemble_pruning.instance import called_positive
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results, Settings
from compactml.watch import recorded

FOUR_POINTS = "11001 00110", "10100 01010"
WEIGHTS, WEIGHTED_THRESHOLD = np.array([1, 1, 2, 2, 2]), 3
"""Of a weighted vote that gets the four points right."""


def conflicts(results: Results, width: float) -> Figure:
    """The conflicts of the rare class, and a cheapest cover."""
    votes, y = votes_of(*RARE)
    instance, cover = PruningInstance.from_votes(votes, y), isotonic_bound(votes, y).cover
    return pictures.dominance_graph(instance, cover, width)


def conflict_numbers(results: Results) -> dict[str, int]:
    """Return points lost for certain, the cover's cost, the bound and the program's value."""
    votes, y = votes_of(*RARE)
    instance, isotonic = PruningInstance.from_votes(votes, y), isotonic_bound(votes, y)
    return {
        "ep_certain": int(len(y) - instance.ideal * instance.unit),
        "ep_cover": int(isotonic.errors),
        "ep_isotonic": int(isotonic.bound),
        "ep_rare_best": int(solve(votes, y, results.settings).value),
    }


def excess_numbers(results: Results) -> dict[str, int]:
    """Return E of the four points."""
    votes, y = votes_of(*FOUR_POINTS)
    d = votes[y].sum(axis=0) - votes[~y].sum(axis=0)
    return {"ep_E": int(np.maximum(d, 0).sum())}


def four_points(results: Results) -> ShownTable:
    """Bounds on the four points, the best ensemble, and a weighted vote."""
    votes, y = votes_of(*FOUR_POINTS)
    rows = [
        ("isotonic bound", isotonic_bound(votes, y).bound),
        ("integer asummability bound", asummability_bound(votes, y, time_limit=None).bound),
        ("best of all ensembles", every_ensemble(FOUR_POINTS)["value"].max()),
        (
            "weights 1, 1, 2, 2, 2 and threshold 3",
            int(((votes @ WEIGHTS > WEIGHTED_THRESHOLD) == y).sum()),
        ),
    ]
    return show(
        pd.DataFrame(rows, columns=["of the four points", "right"]),
        name="ensemble_pruning_four_points",
        caption="Votes 11001 and 00110 on positive, 10100 and 01010 on negative points",
    )


def nodes(results: Results) -> ShownTable:
    """The bound of branching on the four points as the limit on nodes grows."""
    votes, y = votes_of(*FOUR_POINTS)
    bounds: list[BranchingBound] = []
    with recorded():  # the table says which search was stopped
        while not bounds or not bounds[-1].complete:
            most = 2 * bounds[-1].n_nodes + 1 if bounds else 0
            bounds.append(branching_bound(votes, y, time_limit=None, max_nodes=most))
    rows = [(bound.n_nodes, bound.bound, bound.complete) for bound in bounds]
    return show(
        pd.DataFrame(rows, columns=["nodes", "at most right", "finished"]),
        name="ensemble_pruning_nodes",
        caption="The bound on the four points as nodes are expanded. It is that of the best ensemble before the search "
        "is finished: the search does not know that ensemble until a node has everything decided.",
    )


BOUNDS = ["isotonic", "integer asummability", "ten nodes"]


@lru_cache(maxsize=1)
def random_bounds(seed: int) -> pd.DataFrame:
    """The optimum and three bounds on forty random instances."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(40):
        k, size = int(rng.integers(5, 10)), 40
        y = rng.random(size) < 0.5
        votes = rng.random((size, k)) < np.where(y, 0.65, 0.35)[:, np.newaxis]
        optimum = small.ensembles(PruningInstance.from_votes(votes, y))["value"].max()
        cuts = isotonic_bound(votes, y).bound, asummability_bound(votes, y, time_limit=None).bound
        with recorded():  # ten nodes are meant
            tree = branching_bound(votes, y, time_limit=None, max_nodes=10)
        rows.append((optimum, *cuts, tree.bound))
    return pd.DataFrame(rows, columns=["optimum", *BOUNDS])


def random_numbers(results: Results) -> dict[str, int]:
    """Return how often a bound is below the optimum, which none may be."""
    frame = random_bounds(results.settings.seed)
    return {"ep_unsafe": int((frame[BOUNDS].min(axis=1) < frame["optimum"]).sum())}


def random_instances(results: Results) -> ShownTable:
    """How often each bound is the optimum, and by how much it exceeds it."""
    frame = random_bounds(results.settings.seed)
    summary = pd.DataFrame(
        {
            "bound": BOUNDS,
            "is the optimum": [(frame[name] == frame["optimum"]).sum() for name in BOUNDS],
            "of": len(frame),
            "mean excess (points)": [(frame[name] - frame["optimum"]).mean() for name in BOUNDS],
        }
    )
    return show(
        summary,
        name="ensemble_pruning_random",
        caption="Bounds on random instances of 40 points and 5 to 9 classifiers",
    )


class PrunedPool(NamedTuple):
    """A pool on one split of wdbc: its votes on validation and test points, and what pruning made of it."""

    votes: NDArray[np.bool_]
    y: NDArray[np.intp]
    test_votes: NDArray[np.bool_]
    test_y: NDArray[np.intp]
    result: PruningResult


@lru_cache(maxsize=1)
def pruned_pool(settings: Settings) -> PrunedPool:
    """The pool of forty classifiers that the notebook trains and prunes."""
    seed = settings.seed
    X, target = load_breast_cancer(return_X_y=True)
    rest, X_test, y_rest, y_test = train_test_split(
        X, target, test_size=0.1, stratify=target, random_state=seed
    )
    X_train, X_valid, y_train, y_valid = train_test_split(
        rest, y_rest, test_size=0.3, stratify=y_rest, random_state=seed
    )
    pool = ClassifierPool(40, random_state=seed).fit(X_train, y_train)
    votes = pool.votes(X_valid)
    return PrunedPool(
        votes, y_valid, pool.votes(X_test), y_test, solve(votes, y_valid, settings, random_state=seed)
    )


def history(results: Results) -> ShownTable:
    """Value and bound of the pool, step by step."""
    steps = [
        (one.step, one.seconds, one.value, one.bound) for one in pruned_pool(results.settings).result.history
    ]
    return show(
        pd.DataFrame(steps, columns=["step", "seconds", "value", "bound"]).round({"seconds": 3}),
        name="ensemble_pruning_history",
        caption="Points called right and proved bound, step by step",
    )


def pool_numbers(results: Results) -> dict[str, int | float | str]:
    """Return what the pruned ensemble and the full one do on validation and test points, and which step proves it."""
    _, y, test_votes, test_y, best = pruned_pool(results.settings)
    calls = {
        "ep_test": called_positive(test_votes, best.selected, best.threshold),
        "ep_test_full": called_positive(test_votes, np.arange(40), 20),
    }
    return {
        "ep_points": len(y),
        "ep_value": int(best.value),
        "ep_bound": int(best.bound),
        "ep_size": len(best.selected),
        **{name: float(100 * (called == (test_y == 1)).mean()) for name, called in calls.items()},
        "ep_proof": next(
            (f"the {one.step} bound" for one in best.history if one.bound == best.bound), "the program"
        ),
    }
