"""One trial of kind "sharing" under scikit-learn 1.1: takes a trial as JSON, prints its result as JSON.

Run as a program in an environment of its own, see `compactml.chapters.condition_sharing.trials.older`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.ensemble import _forest

from compactml.chapters.condition_sharing.trials.paper import run_sharing
from compactml.study.trial import Trial


def estimators_samples(forest: Any) -> list[np.ndarray]:
    """Rows that each tree was fitted on; later versions have this property, and draw the same rows."""
    n_drawn = [int(tree.tree_.weighted_n_node_samples[0]) for tree in forest.estimators_]
    return [
        _forest._generate_sample_indices(tree.random_state, n, n)
        for tree, n in zip(forest.estimators_, n_drawn, strict=True)
    ]


def main(text: str) -> None:
    """Run the trial and print what it found."""
    _forest.BaseForest.estimators_samples_ = property(estimators_samples)
    fields = json.loads(text)
    trial = Trial(**fields | {"parameters": tuple(fields["parameters"].items())})
    print(json.dumps(asdict(run_sharing(trial))))


if __name__ == "__main__":
    main(sys.argv[1])
