"""Words for the columns and names of the chapter's tables, for its pages."""

from __future__ import annotations

__all__ = ["HEADS", "WORDS"]

TIMED = (
    "Fipe", "Fipe l1", "Pruning only", "cart", "exact", "fipepy", "ours", "ours with the objective",
)  # fmt: skip
"""What tables have the seconds of."""
SIDES = ("before", "after")
HEADS = {
    "n_learners": "learners",
    **{f"seconds, {name}": f"time, {name} (s)" for name in TIMED},
    **{f"kB, {side}": f"size {side} (kB)" for side in SIDES},
    **{f"ms, {side}": f"time {side} (ms)" for side in SIDES},
}
WORDS = {"random_forest": "random forest", "adaboost": "AdaBoost"}
