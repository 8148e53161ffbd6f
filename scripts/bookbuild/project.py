"""Where things lie, and which notebooks the table of contents names."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class Part:
    """One part of the table of contents that has notebooks."""

    caption: str
    notebooks: tuple[str, ...]

    @property
    def chapter(self) -> str:
        """Folder of the chapter under ``notebooks/``; empty for notebooks that stand outside the chapters."""
        return "/".join(self.notebooks[0].split("/")[1:-1])


@dataclass(frozen=True)
class Project:
    """A checkout: sources at `root`, executed notebooks and pages under `stage`."""

    root: Path

    @property
    def stage(self) -> Path:
        return self.root / "_build" / "executed"

    @property
    def html(self) -> Path:
        return self.root / "_build" / "html"

    @property
    def failed(self) -> Path:
        return self.root / "_build" / "failed"

    def source(self, name: str) -> Path:
        return self.root / f"{name}.md"

    def executed(self, name: str) -> Path:
        return self.stage / f"{name}.ipynb"

    def parts(self) -> list[Part]:
        """Return the parts of ``_toc.yml`` that hold notebooks, in order."""
        toc = yaml.safe_load((self.root / "_toc.yml").read_text(encoding="utf-8"))
        found = (Part(part["caption"], tuple(_notebooks(part))) for part in toc["parts"])
        return [part for part in found if part.notebooks]

    def notebooks(self) -> list[str]:
        """Return the notebooks of ``_toc.yml`` in order, as paths without suffix relative to the root."""
        return [name for part in self.parts() for name in part.notebooks]


def _notebooks(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        name = node.get("file", "")
        if name.startswith("notebooks/"):
            yield name
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from _notebooks(child)


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: a reader sees the old content or the new, never half of it."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file in one step, and leave it alone when it has that content already."""
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".", dir=path.parent)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    os.replace(temporary, path)
