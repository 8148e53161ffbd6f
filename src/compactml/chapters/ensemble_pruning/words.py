"""Words for the columns and names of the chapter's tables, for its pages."""

from __future__ import annotations

from compactml.chapters.ensemble_pruning.rows import LABELS

__all__ = ["HEADS", "WORDS"]

HEADS = {"max_rows": "training points", "theta": "θ"}
WORDS = dict(LABELS)
