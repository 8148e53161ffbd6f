"""The key of a trial: its specification, the code that it depends on and the data that it reads.

A change in any of them gives another key, so that the store never shows an old number as new. Comments,
docstrings and formatting do not count: they cannot change a result.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from compactml.datasets import DatasetNotAvailable, UnknownDataset, content_hash
from compactml.datasets.prepared import prepared
from compactml.exceptions import InvalidParameterError
from compactml.experiments.specification import Trial

LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")
"""Libraries whose version is part of the key."""


@dataclass(frozen=True)
class DataIdentity:
    """What a trial's data are: SHA-256 of the values, where they come from, and whether they are at hand.

    Generated data have an empty hash: their generator is code and part of the code hash.
    """

    sha256: str
    source: str
    at_hand: bool = True


def code_hash(modules: Iterable[str]) -> str:
    """Return the SHA-256 of the code of modules and packages and of the versions of `LIBRARIES`.

    Parameters
    ----------
    modules : iterable of str
        Dotted names; a package stands for all modules in it.

    Raises
    ------
    InvalidParameterError
        A name that cannot be imported.
    """
    return _code_hash(tuple(sorted(set(modules))))


@cache
def _code_hash(modules: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for library in LIBRARIES:
        digest.update(f"{library}=={version(library)}\n".encode())
    for module in modules:
        for name, path in _sources(module):
            digest.update(f"{name}\n{_code_only(path.read_text(encoding='utf-8'))}\n".encode())
    return digest.hexdigest()


def _sources(module: str) -> Iterator[tuple[str, Path]]:
    """Yield a stable name and the file of a module, or of every module below a package."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        raise InvalidParameterError("code", "dotted names of modules", module)
    origin = Path(spec.origin)
    if spec.submodule_search_locations is None:
        yield module, origin
        return
    for path in sorted(origin.parent.rglob("*.py")):
        yield f"{module}/{path.relative_to(origin.parent).as_posix()}", path


def _code_only(source: str) -> str:
    """Return the syntax tree as text, without statements that are a mere string (docstrings)."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for _, block in ast.iter_fields(node):
            if isinstance(block, list):
                block[:] = [item for item in block if not _is_docstring(item)]
    return ast.dump(tree)


def _is_docstring(node: object) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


@cache
def data_identity(key: str) -> DataIdentity:
    """Return the identity of a dataset, read once per process.

    Raises
    ------
    ChecksumMismatch, DatasetMismatch
        A file at hand is not the registered one: such data are refused, not taken for missing.
    """
    try:
        dataset = prepared(key)
    except UnknownDataset:
        return DataIdentity("", f"generated: {key}")
    except DatasetNotAvailable:
        return DataIdentity("", "not at hand", at_hand=False)
    return DataIdentity(content_hash(dataset), dataset.source)


def trial_key(trial: Trial, code_hash: str, data_hash: str) -> str:
    """Return the SHA-256 under which a trial's result is stored."""
    return hashlib.sha256(json.dumps([trial.canonical(), code_hash, data_hash]).encode()).hexdigest()
