"""The key of a trial: its specification, the code that computes it, its libraries, its solvers and its data.

A change in any of them gives another key, so that the store never shows an old number as new. Comments, docstrings and
formatting do not count: they cannot change a result. A key may change needlessly, and never fails to change.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from compactml.datasets import Dataset, DatasetNotAvailable, content_hash
from compactml.datasets.prepared import prepared
from compactml.solvers import solver_identity
from compactml.study.keys.closure import Code, code_of, library_versions, module_of
from compactml.study.keys.environments import Environment
from compactml.study.trial import Recipe, Trial

__all__ = ["FORMULA", "DataIdentity", "KeyParts", "code_key", "data_identity", "key_parts", "trial_data"]

FORMULA = 2
"""Version of the key's formula; rows of the first one (code of listed modules, four libraries) are not served."""


@dataclass(frozen=True)
class DataIdentity:
    """What a trial's data are: SHA-256 of the values, where they come from, and whether they are at hand."""

    sha256: str
    source: str
    at_hand: bool = True


@dataclass(frozen=True)
class KeyParts:
    """All that decides a result besides its specification.

    Attributes
    ----------
    code : str
        Hash of the import closure, see `compactml.study.keys.closure`.
    libraries : dict of str to str
        Versions of the libraries in it that compute, of Python without its last part, and a hash of the environment
        in which it runs a program of others.
    solvers : dict or None
        What the choice of a solver depends on, see `compactml.solvers.solver_identity`; None where nothing is solved.
    data : str
        Hash of the values.
    formula : int
    """

    code: str
    libraries: Mapping[str, str]
    solvers: Mapping[str, Any] | None
    data: str
    formula: int = FORMULA

    def key(self, trial: Trial) -> str:
        """Return the SHA-256 under which a trial's result is stored."""
        return self.key_of(trial.canonical())

    def key_of(self, canonical: str) -> str:
        """Return the key of a trial given by its canonical specification."""
        return hashlib.sha256(json.dumps([canonical, self._text]).encode()).hexdigest()

    @cached_property
    def _text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    def differences(self, other: KeyParts) -> list[str]:
        """Say in which parts ``other``, found elsewhere, differs: "library highspy: 1.13.1 here, 9.9.9 there"."""
        return [
            *_unequal("formula of the key", self.formula, other.formula),
            *_unequal("code", self.code[:12], other.code[:12]),
            *(
                text
                for name in sorted({*self.libraries, *other.libraries})
                for text in _unequal(f"library {name}", self.libraries.get(name), other.libraries.get(name))
            ),
            *_unequal("solvers", _solvers_text(self.solvers), _solvers_text(other.solvers)),
            *_unequal("data", self.data[:12], other.data[:12]),
        ]


def _unequal(what: str, here: object, there: object) -> list[str]:
    return [] if here == there else [f"{what}: {here or 'none'} here, {there or 'none'} there"]


def _solvers_text(solvers: Mapping[str, Any] | None) -> str:
    """Return the solvers with all that counts of them, in one line."""
    if solvers is None:
        return ""
    return "; ".join(
        [str(solvers["requested"]), *(", ".join(map(str, solver.values())) for solver in solvers["usable"])]
    )


def key_parts(
    function: Callable[[Trial], Any], data: DataIdentity, environment: Environment | None = None
) -> KeyParts:
    """Return what decides the results of a trial function on some data, as it is in this process.

    Parameters
    ----------
    function : callable
        Of a module.
    data : DataIdentity
    environment : Environment, optional
        In which the function runs a program of others; it counts as one more library.

    Raises
    ------
    InvalidParameterError
        The function's module is not made of Python files, or COMPACTML_SOLVER names no solver.
    """
    code = code_of(module_of(function))
    libraries = _libraries(code) | (environment.identity() if environment is not None else {})
    return KeyParts(code.sha256, libraries, solver_identity() if code.solves else None, data.sha256)


def code_key(module: str) -> str:
    """Return one hash for a module's code, its libraries and the solvers it may use: all but data and trial."""
    code = code_of(module)
    parts = KeyParts(code.sha256, _libraries(code), solver_identity() if code.solves else None, "")
    return parts.key_of(module)


def _libraries(code: Code) -> dict[str, str]:
    python = ".".join(map(str, sys.version_info[:2]))
    return {"python": python, **library_versions(code.libraries)}


def trial_data(trial: Trial, recipe: Recipe | None) -> DataIdentity:
    """Return the identity of a trial's data; those that it generates are made once per process, to be hashed.

    Parameters
    ----------
    trial : Trial
    recipe : Recipe or None
        How its data are made, if no dataset has their name.

    Raises
    ------
    UnknownDataset, ChecksumMismatch, DatasetMismatch
    """
    return data_identity(trial.dataset) if recipe is None else recipe_identity(recipe)


@cache
def recipe_identity(recipe: Recipe) -> DataIdentity:
    """Return the identity of generated data."""
    function, arguments = recipe
    digest = hashlib.sha256()
    _add(digest, function(*arguments))
    return DataIdentity(digest.hexdigest(), f"generated: {function.__qualname__}{arguments}")


def _add(digest: Any, value: object) -> None:
    """Add a value of any depth to a hash, with its type and shape."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        digest.update(json.dumps(["array", value.dtype.str, value.shape]).encode())
        digest.update(np.ascontiguousarray(value).data)
    elif isinstance(value, Dataset):
        digest.update(f"dataset {content_hash(value)}".encode())
    elif is_dataclass(value):
        _add(digest, [(field.name, getattr(value, field.name)) for field in fields(value)])
    elif isinstance(value, list | tuple | np.ndarray):
        digest.update(f"sequence {len(value)}".encode())
        for one in value:
            _add(digest, one)
    else:
        digest.update(f"{type(value).__name__} {value!r}".encode())


@cache
def data_identity(key: str) -> DataIdentity:
    """Return the identity of a dataset, read once per process.

    Raises
    ------
    UnknownDataset
        No dataset has this name.
    ChecksumMismatch, DatasetMismatch
        A file at hand is not the registered one: such data are refused, not taken for missing.
    """
    try:
        dataset = prepared(key)
    except DatasetNotAvailable:
        return DataIdentity("", "not at hand", at_hand=False)
    return DataIdentity(content_hash(dataset), dataset.source)
