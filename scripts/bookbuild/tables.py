"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def markdown_table(rows: Sequence[Mapping[str, str]]) -> str:
    """Return rows as a table with the names of the first as heads."""
    heads = list(rows[0])
    lines = [
        "| " + " | ".join(cells) + " |"
        for cells in (heads, ["---"] * len(heads), *(row.values() for row in rows))
    ]
    return "\n".join(lines) + "\n"
