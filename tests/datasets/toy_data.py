"""A made-up raw file, and how to put it where `load` looks."""

from __future__ import annotations

from pathlib import Path

CONTENT = b"a,b,class\n" + b"1,2.5,x\n" * 20_000 + b"3,4.5,y\n" * 10_000


def place(folder: Path, content: bytes, key: str = "toy", name: str = "toy.csv") -> Path:
    """Write a file where `load` looks for it."""
    path = folder / key / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
