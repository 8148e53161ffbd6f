"""Sphinx extension: of the theme's font of icons, pages load those that they use.

The font has some 1,400 icons and is heavier than most pages; the book uses about twenty. fontTools, which comes with
matplotlib, writes them as a font of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pydata_sphinx_theme
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

FONT = "vendor/fontawesome/webfonts/fa-solid-900.ttf"
HEAVY = re.compile(r'url\([^)]*fa-solid-900\.woff2\) format\("woff2"\),')
"""The whole font in another format, which browsers would take first."""
RULE = re.compile(r'((?:\.fa-[\w-]+:{1,2}before,?)+)\{content:"([^"]*)"\}')
NAME = re.compile(r"\bfa-([\w-]+)")
CODE = re.compile(r"\\(f[0-9a-f]{3})\b|([\uf000-\uf8ff])")


def codes_used(style: str, texts: Iterable[str]) -> set[int]:
    """Return the code points of the icons that pages use.

    Parameters
    ----------
    style : str
        The theme's style sheet: a rule for each icon, and icons that it sets itself (notes, folds).
    texts : iterable of str
        Pages, scripts and other style sheets, which name icons or hold their codes.
    """
    by_name = {
        name: _codes(content) for names, content in RULE.findall(style) for name in NAME.findall(names)
    }
    used = _codes(RULE.sub("", style))
    for text in texts:
        used |= _codes(text).union(*(by_name.get(name, set()) for name in set(NAME.findall(text))))
    return used


def _codes(text: str) -> set[int]:
    return {int(code, 16) if code else ord(letter) for code, letter in CODE.findall(text)}


def write_font(target: Path, codes: set[int]) -> None:
    """Write the icons of some code points as a font."""
    font = TTFont(Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static" / FONT)
    subsetter = Subsetter(Options(layout_features=[], hinting=False))
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    font.save(target)


def lighten_icons(app: Sphinx, error: Exception | None) -> None:
    """Replace the font of a build that ended well."""
    if error is not None or app.builder.name != "html":
        return
    root = Path(app.outdir)
    style = root / "_static" / "styles" / "pydata-sphinx-theme.css"
    others = [path for end in ("html", "css", "js") for path in root.rglob(f"*.{end}") if path != style]
    text = style.read_text(encoding="utf-8")
    write_font(root / "_static" / FONT, codes_used(text, (path.read_text("utf-8") for path in others)))
    style.write_text(HEAVY.sub("", text), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to the end of the build."""
    app.connect("build-finished", lighten_icons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
