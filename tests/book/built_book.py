"""Where the built book lies, and its pages."""

from pathlib import Path

HTML = Path(__file__).resolve().parents[2] / "_build" / "html"
PAGES = sorted(
    path.relative_to(HTML).as_posix()
    for path in HTML.rglob("*.html")
    if "_static" not in path.parts  # the theme's templates: no pages
)
