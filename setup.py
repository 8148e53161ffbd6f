"""A wheel holds what commands read of the repository, so that ``compactml show`` and ``cite`` need no checkout."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
READ = (
    "data/published",
    "data/recorded",
    "book/findings",
    "book/references.bib",
    "CITATION.cff",
    "environments",
)
TARGET = "compactml/_repository"
"""`compactml.study.recording.published.home` looks there last."""


class BuildWithRecords(build_py):
    """The packages, and the repository's records beside them; an editable install reads the checkout's own."""

    def run(self) -> None:
        """Build."""
        super().run()
        if self.editable_mode:
            return
        for name in READ:
            source, target = ROOT / name, Path(self.build_lib) / TARGET / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                shutil.copy2(source, target)


setup(cmdclass={"build_py": BuildWithRecords})
