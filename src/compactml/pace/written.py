"""What is kept of a compressed ensemble in a file: learners, grid, region and certificate.

The initial ensemble is kept in integers, since the region, of which the certificate speaks, is where it is sure. The
history, and with it ``bound_``, and scikit-learn's own ensemble are not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from compactml.forests import ForestArrays, SplitGrid
from compactml.forests.written import check_children
from compactml.kept import Kept, columns_of, plain_parameters, set_columns, set_parameters
from compactml.pace.classifier import PaceClassifier
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.model.ensemble import LARGEST_SUM, IntegerEnsemble
from compactml.pace.model.learners import Learner
from compactml.pace.model.region import IsolationGrid, Region
from compactml.pace.model.setting import Setting

__all__ = ["classifier_of", "classifier_state", "compressed_of", "compressed_state"]

MOST = 2**31 - 1
NODES = ("feature", "cut", "left", "right", "leaf")
FITTED = ("classes_", "certificate_", "n_learners_", "n_generated_", "n_leaves_", "weights_", "history_")


def compressed_state(model: CompressedEnsemble) -> dict[str, Any]:
    """Return what is to be kept of a `CompressedEnsemble`."""
    setting, region = model.setting, model.setting.region
    labels = model.classes_.tolist()
    isolation = region.isolation
    return {
        **columns_of(model),
        "classes": model.classes_,
        "votes": setting.forest.votes,
        "levels": list(setting.grid.levels),
        "integral": setting.grid.integral,
        "alpha": float(setting.alpha),
        "beta": float(setting.beta),
        "initial": _ensemble_state(region.initial),
        "least_margin": int(region.least_margin),
        "isolation": None if isolation is None else [_learner_state(one) for one in isolation.learners],
        "least_length": int(region.least_length),
        "compressed": _ensemble_state(model.ensemble),
        "proved": [
            [labels.index(a), labels.index(b), state] for (a, b), state in model.certificate_.proved.items()
        ],
    }


def compressed_of(kept: Kept) -> CompressedEnsemble:
    """Return the `CompressedEnsemble` that `compressed_state` took apart, or raise `InvalidDataError`."""
    holder: Any = type("Columns", (), {})()
    p = set_columns(holder, kept)
    classes = kept.array("classes", "biufUO", [None])
    c = len(classes)
    if c < 2:
        raise kept.refuse("classes", "at least two", f"{c}")
    levels = kept.anything("levels")
    if not isinstance(levels, list) or len(levels) != p:
        raise kept.refuse("levels", f"a list of {p} arrays", "another one")
    parts = [Kept({"levels": rising}, kept.where).array("levels", "f", [None]) for rising in levels]
    if any(not (np.diff(rising) > 0).all() or not np.isfinite(rising).all() for rising in parts):
        raise kept.refuse("levels", "finite and rising", "others")
    grid = SplitGrid(tuple(part.astype(np.float32) for part in parts), kept.array("integral", "b", [p]))
    initial = _ensemble(kept.part("initial"), p, c)
    isolation = None
    if kept.anything("isolation") is not None:
        isolation = IsolationGrid(tuple(_learner(one, p, 1) for one in kept.parts("isolation")))
    least = kept.integer("least_margin", 1, 2**62), kept.integer("least_length", -(2**62), 2**62)
    votes = kept.text("votes", ("soft", "hard"))
    setting = Setting(
        ForestArrays((), np.empty(0), classes, votes),
        grid,
        Region(initial, least[0], isolation, least[1]),
        np.empty((0, p), dtype=np.int32),
        float(kept.number("alpha")),
        float(kept.number("beta")),
        getattr(holder, "feature_names_in_", None),
    )
    return CompressedEnsemble(setting, _ensemble(kept.part("compressed"), p, c), _proved(kept, c))


def classifier_state(model: PaceClassifier) -> dict[str, Any]:
    """Return what is to be kept of a fitted `PaceClassifier`."""
    check_is_fitted(model)
    return {
        "parameters": plain_parameters(model, ("estimator", "isolation_forest")),
        **columns_of(model),
        "compressed": compressed_state(model.compressed_),
    }


def classifier_of(kept: Kept) -> PaceClassifier:
    """Return the `PaceClassifier` that `classifier_state` took apart, or raise `InvalidDataError`."""
    model = PaceClassifier()
    set_parameters(model, kept)
    n_features = set_columns(model, kept)
    model.compressed_ = compressed_of(kept.part("compressed"))
    if model.compressed_.n_features_in_ != n_features:
        raise kept.refuse("n_features", f"{model.compressed_.n_features_in_}", f"{n_features}")
    for name in FITTED:
        setattr(model, name, getattr(model.compressed_, name))
    return model


def _proved(kept: Kept, n_classes: int) -> dict[tuple[int, int], Any]:
    states = kept.anything("proved")
    if not isinstance(states, list):
        raise kept.refuse("proved", "a list", "another one")
    proved = {}
    for one in states:
        a, b, state = one
        if not (state is True or state is False or state == "unknown"):
            raise kept.refuse("proved", "True, False or 'unknown'", "another state")
        pair = Kept({"pair": [a, b]}, kept.where).integers("pair", 0, n_classes - 1)
        proved[pair[0], pair[1]] = state
    return proved


def _ensemble_state(ensemble: IntegerEnsemble) -> dict[str, Any]:
    return {
        "learners": [_learner_state(one) for one in ensemble.learners],
        "weights": ensemble.weights,
        "scale": int(ensemble.scale),
        "rounding": int(ensemble.rounding),
    }


def _ensemble(kept: Kept, n_features: int, n_classes: int) -> IntegerEnsemble:
    learners = tuple(_learner(one, n_features, n_classes) for one in kept.parts("learners"))
    weights = kept.within("weights", 0, LARGEST_SUM, [len(learners)]).astype(np.int64)
    scale, rounding = kept.integer("scale", 1, LARGEST_SUM), kept.integer("rounding", 0, LARGEST_SUM)
    return IntegerEnsemble(learners, weights, n_classes, scale, rounding=rounding)


def _learner_state(learner: Learner) -> dict[str, Any]:
    nodes = {name: getattr(learner, name) for name in NODES}
    return nodes | {
        "scores": learner.scores,
        "origin": None if learner.origin is None else int(learner.origin),
    }


def _learner(kept: Kept, n_features: int, n_classes: int) -> Learner:
    """A tree on codes that the compiled code survives: its nodes, features and leaves exist."""
    scores = kept.within("scores", -LARGEST_SUM, LARGEST_SUM, [None, n_classes])
    feature = kept.within("feature", -1, n_features - 1, [None])
    n, inner = len(feature), feature >= 0
    left, right = (kept.within(name, -MOST, MOST, [n]) for name in ("left", "right"))
    check_children(kept, inner, left, right)
    leaf = kept.within("leaf", -1, len(scores) - 1, [n])
    if (leaf[~inner] < 0).any():
        raise kept.refuse("leaf", "a leaf at each end", "none")
    origin = None if kept.anything("origin") is None else kept.integer("origin", 0, MOST)
    cut = kept.within("cut", -MOST - 1, MOST, [n])
    nodes = [np.ascontiguousarray(one, dtype=np.int32) for one in (feature, cut, left, right, leaf)]
    leaves = np.ascontiguousarray(scores, dtype=np.int64)
    return Learner(nodes[0], nodes[1], nodes[2], nodes[3], nodes[4], leaves, origin)
