"""Write out the prose of the notebooks that the built pages offer (called by ``make book``)."""

from __future__ import annotations

from bookbuild.downloads import write_downloads
from bookbuild.project import Project
from build_book import ROOT


def main() -> None:
    """Replace the notebooks beside the pages in ``_build/html``."""
    write_downloads(Project(ROOT), ROOT / "_build" / "html")


if __name__ == "__main__":
    main()
