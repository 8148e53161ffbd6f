"""Sentences that count nothing are left out, and only those."""

import pytest

from bookbuild.missing import without_missing

VALUES = {"n": "12", "zero": "0", "text": "'0 of 0'", "nan": "nan", "word": "'banana'"}
ZERO = "{glue:text}`zero`"


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("All {glue:text}`n` stay, and " + ZERO + " of {glue:text}`n`.", None),
        (f"One stays.\n{ZERO} of {ZERO} go.\nTwo stay.", "One stays.\nTwo stay."),
        (
            f"The {ZERO} trials changed\nnothing, and {ZERO} of the {ZERO} hold. The next stays.",
            "The next stays.",
        ),
        ("It takes {glue:text}`n` s (here at most {glue:text}`nan:.2f`).", "It takes {glue:text}`n` s."),
        ("First.\n\nOnly {glue:text}`text`.\n\nLast.", "First.\n\nLast."),
        ("- A {glue:text}`text`.\n- B stays.\n- C.\n  Also {glue:text}`nan:.1f`.", "- B stays.\n- C."),
        ("1. A (that is 2.5).\n2. B {glue:text}`nan`.", "1. A (that is 2.5)."),
        ("A value of 2.5 in `x.y` of {glue:text}`nan`.", ""),
        ("No   gap,\n\n\n and {glue:text}`word`.", None),
        ("No number: 0 of 0.", None),
        ("Unknown {glue:text}`other` of {glue:text}`zero`.", None),
    ],
)
def test_what_is_left(source: str, left: str | None) -> None:
    """None: all of it."""
    assert without_missing(source, VALUES) == (source if left is None else left)
