"""Words for the columns and names of the chapter's tables, for its pages."""

from __future__ import annotations

from compactml.chapters.ensemble_pruning.rows import LABELS

__all__ = ["HEADS", "WORDS"]

HEADS = {
    "max_rows": "training points",
    "standard error": "standard error (points)",
    "test": "test (%)",
    "theta": "θ",
    "training": "training (%)",
    "validation": "validation (%)",
    "validation - test": "validation − test (points)",
}
WORDS = dict(LABELS)
