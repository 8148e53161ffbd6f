"""Certificates: proofs that no set of features has a value above t, as they are kept in files."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.errors import InvalidDataError
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.proof import PAIRS, Proof
from compactml.files import write_atomically

__all__ = ["Certificate"]

LOAD_ERRORS = (
    AttributeError, EOFError, KeyError, RuntimeError, TypeError, ValueError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What NumPy raises for a file that is empty, no archive, another one, or damaged."""

PROOF_ARRAYS = ("n_steps", "branch", "multipliers", "n_units", "n_decided", "units", "decided")


@dataclass(frozen=True, eq=False)
class Certificate:
    """A proof that no set of features (of the given size) has a value above ``t``.

    Attributes
    ----------
    t : float
    n_features : int or None
        Size of the sets spoken of, None for all.
    multipliers : tuple of Multipliers
    proofs : tuple of Proof
        One for each size.

    Examples
    --------
    >>> from compactml.feature_selection import measure, mrmr_program, solve, verify
    >>> X = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> measures = measure(X, [0, 1, 2, 3])
    >>> program = mrmr_program(measures, count_own_entropy=True)
    >>> result = solve(program)
    >>> bool(verify(program, result.certificate) >= result.value)
    True
    """

    t: float
    n_features: int | None
    multipliers: tuple[Multipliers, ...]
    proofs: tuple[Proof, ...]

    @property
    def n_nodes(self) -> int:
        """Number of slices in all trees."""
        return sum(proof.n_nodes for proof in self.proofs)

    def without_unused(self) -> Certificate:
        """The same proof with only the multipliers that its steps name."""
        used = np.unique(np.concatenate([np.array([PAIRS])] + [proof.multipliers for proof in self.proofs]))
        proofs = tuple(
            replace(proof, multipliers=(np.searchsorted(used, proof.multipliers) - 1).astype(np.int32))
            for proof in self.proofs
        )
        return replace(self, multipliers=tuple(self.multipliers[i] for i in used[1:]), proofs=proofs)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the certificate as a compressed NumPy archive, atomically."""
        arrays: dict[str, Any] = {
            "t": self.t,
            "n_features": -1 if self.n_features is None else self.n_features,
            "sizes": np.array([proof.size for proof in self.proofs]),
            "n_multipliers": len(self.multipliers),
        }
        for i, one in enumerate(self.multipliers):
            upper = one.n[np.triu_indices(len(one.base), 1)]
            arrays |= {f"base_{i}": one.base, f"y_{i}": one.y, f"n_{i}": upper}
        for proof in self.proofs:
            arrays |= {f"{name}_of_{proof.size}": getattr(proof, name) for name in PROOF_ARRAYS}
        archive = io.BytesIO()
        np.savez_compressed(archive, **arrays)
        write_atomically(Path(path), archive.getvalue())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Certificate:
        """Read a certificate.

        Raises
        ------
        InvalidDataError
            The file is no certificate.
        """
        try:
            with open(path, "rb") as opened, np.load(opened, allow_pickle=False) as file:
                multipliers = tuple(_multipliers(file, i) for i in range(int(file["n_multipliers"])))
                proofs = tuple(
                    Proof(int(size), *(_vector(file, f"{name}_of_{size}", "iu") for name in PROOF_ARRAYS))
                    for size in file["sizes"]
                )
                n_features = int(file["n_features"])
                return cls(float(file["t"]), None if n_features < 0 else n_features, multipliers, proofs)
        except LOAD_ERRORS as error:
            raise InvalidDataError("path", "a certificate written by save", f"{path} ({error})") from error


def _multipliers(file: Any, i: int) -> Multipliers:
    base = _vector(file, f"base_{i}", "iu")
    n = np.zeros((len(base), len(base)), dtype=np.float32)
    n[np.triu_indices(len(base), 1)] = _vector(file, f"n_{i}", "f")
    return Multipliers(base, _vector(file, f"y_{i}", "f"), n + n.T)


def _vector(file: Any, name: str, kinds: str) -> NDArray[Any]:
    """An array of the file, if it has one dimension and a type of these kinds."""
    array: NDArray[Any] = file[name]
    if array.ndim != 1 or array.dtype.kind not in kinds:
        raise ValueError(f"{name} of shape {array.shape} and type {array.dtype}")
    return array
