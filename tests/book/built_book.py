"""Where the built book lies, its pages, and its own Sphinx extensions."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
EXTENSIONS = ROOT / "book" / "_extensions"
PAGES = sorted(
    path.relative_to(HTML).as_posix()
    for path in HTML.rglob("*.html")
    if "_static" not in path.parts  # the theme's templates: no pages
)
