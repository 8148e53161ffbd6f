"""Leave out the sentences that a build has no numbers for: no page says "0 of 0" or "nan".

A build that ran nothing of a table has no count of it. The parenthesis that says so goes, or else the sentence; all
others stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from myst_nb.core.variables import format_plain_text

NUMBER = re.compile(r"\{glue:text\}`([^`:]+):?([^`]*)`")
NOTHING = re.compile(r"\b0 of (?:the )?0\b|\bnan\b")
PARENTHESIS = re.compile(r"\s*\([^()]*\)")
SENTENCE_END = re.compile(r"(?<=[.!?:])\s+")
ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+")


def without_missing(source: str, values: Mapping[str, str]) -> str:
    """Return prose without the parentheses and sentences that count nothing.

    Parameters
    ----------
    source : str
        Of a Markdown cell.
    values : mapping of str to str
        What the notebook makes known to it, as `bookbuild.downloads.glued` returns it.
    """
    if not _says_nothing(source, values):
        return source
    kept = (_paragraph(part, values) if _says_nothing(part, values) else part for part in _parts(source))
    return re.sub(r"\n{3,}", "\n\n", "".join(kept)).strip("\n")


def _says_nothing(text: str, values: Mapping[str, str]) -> bool:
    """Whether the text, with its numbers in it, counts nothing; numbers that it states itself are not looked at."""
    if not NUMBER.search(text):
        return False
    known = (name for name, _ in NUMBER.findall(text))
    if not all(name in values for name in known):
        return False  # Jupyter Book names the unknown number
    said = NUMBER.sub(lambda found: format_plain_text(values[found[1]], found[2]), text)
    return bool(NOTHING.search(said))


def _parts(source: str) -> Iterator[str]:
    """Split prose into paragraphs and items of lists, each with the line ends that follow it."""
    part = ""
    for line in source.splitlines(keepends=True):
        if part and (ITEM.match(line) or not part.strip() or not line.strip()):
            yield part
            part = ""
        part += line
    yield part


def _paragraph(text: str, values: Mapping[str, str]) -> str:
    end = text[len(text.rstrip()) :]
    text = PARENTHESIS.sub(lambda found: "" if _says_nothing(found[0], values) else found[0], text.rstrip())
    item = ITEM.match(text)
    mark = item[0] if item else ""
    sentences = [one for one in SENTENCE_END.split(text[len(mark) :]) if not _says_nothing(one, values)]
    return mark + "\n".join(sentences) + end if sentences else ""
