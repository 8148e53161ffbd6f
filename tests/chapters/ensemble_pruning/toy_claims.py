"""The scorecard's rows on made-up tables."""

from __future__ import annotations

from typing import Any

from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.study.judging.claims import scorecard
from tests.chapters.ensemble_pruning.toy_tables import Tables


def verdicts(tables: Tables, *names: str) -> dict[str, str]:
    """Verdicts of the named claims, of all without names."""
    asked = {f"{CHAPTER.name}/{name.removeprefix('/')}" for name in names}
    card = scorecard([one for one in CHAPTER.claims if not names or one.id in asked], tables)
    assert len(card) == len(asked) or not names
    return dict(zip(card["id"].str.removeprefix(f"{CHAPTER.name}/"), card["verdict"], strict=True))


def row_of(tables: Tables, name: str) -> dict[str, Any]:
    """The row of one claim in the scorecard."""
    (row,) = scorecard([one for one in CHAPTER.claims if one.id == f"{CHAPTER.name}/{name}"], tables).to_dict(
        "records"
    )
    return row
