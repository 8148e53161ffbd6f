"""Modules whose code decides a result of the Pace chapter: what is not named may change without a new run."""

from __future__ import annotations

from compactml.experiments import pace_beyond as beyond
from compactml.experiments import pace_merging as merging
from compactml.experiments import pace_refitting as refitting
from compactml.experiments import pace_separation as separation

__all__ = ["CODE", "COMPRESSION_CODE"]

EXPERIMENTS = "compactml.experiments"
PACKAGE = "compactml.pace"
SETTING_MODULES = ("_apply", "ensemble", "learners", "region", "setting")
SEPARATION_MODULES = (
    "_bounding", "_branching", "_climbing", "_filtering", "alternating", "branching", "climbing", "cp_separation",
    "faithfulness", "master", "milp_separation", "pieces", "rows", "separation",
)  # fmt: skip
COMPRESSION_MODULES = (
    "_hitting", "_simplex", "_swapping", "big_m", "certificate", "compress", "compressed", "emptiness", "enumerating",
    "exporting", "fipe", "history", "loop", "optimal_trees", "pricing", "pruning", "undominated",
)  # fmt: skip
SEPARATION_CODE = (
    *(f"{PACKAGE}.{name}" for name in (*SETTING_MODULES, *SEPARATION_MODULES)),
    *(f"{EXPERIMENTS}.{name}" for name in ("pace_datasets", "pace_ensembles", "pace_separation")),
    "compactml.bits",
    "compactml.clock",
    "compactml.forests",
    "compactml.solvers",
)
COMPRESSION_CODE = (
    *SEPARATION_CODE,
    *(f"{PACKAGE}.{name}" for name in COMPRESSION_MODULES),
    f"{EXPERIMENTS}.pace_trials",
)
REFITTING_CODE = tuple(f"{PACKAGE}.{name}" for name in ("leaf_scores", "refitting"))
CODE = {
    "dataset": (f"{EXPERIMENTS}.pace_datasets", f"{EXPERIMENTS}.pace_trials"),
    **dict.fromkeys(("compress", "fipe"), COMPRESSION_CODE),
    **dict.fromkeys(separation.RUN, SEPARATION_CODE),
    **dict.fromkeys(beyond.RUN, (*COMPRESSION_CODE, f"{EXPERIMENTS}.pace_beyond")),
    **dict.fromkeys(merging.RUN, (*COMPRESSION_CODE, f"{PACKAGE}.merging", f"{EXPERIMENTS}.pace_merging")),
    **dict.fromkeys(refitting.RUN, (*COMPRESSION_CODE, *REFITTING_CODE, f"{EXPERIMENTS}.pace_refitting")),
}
"""By kind of trial."""
