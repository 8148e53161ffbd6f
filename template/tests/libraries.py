"""Which distributions the module of each kind computes with, written down from the kinds and not from the key."""

from __future__ import annotations

DEPENDS = {"numpy scipy scikit-learn": "scoring"}
