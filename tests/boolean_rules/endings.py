"""Warnings of work that ended early."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from compactml.watch import EndedEarlyWarning


@contextmanager
def ended_early(begins: str) -> Iterator[None]:
    """Expect one warning of work that ended early, with value, bound and gap, and no other warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert [one.category for one in caught] == [EndedEarlyWarning], [str(one.message) for one in caught]
    text = str(caught[0].message)
    assert text.startswith(begins), text
    assert re.search(r"value \S+, proved bound \S+, (gap \S+%|no gap is known)", text), text
