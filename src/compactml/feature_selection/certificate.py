"""Certificates: proofs that no set of features has a value above t, as they are kept in files."""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.errors import InvalidDataError, check_path
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.proof import PAIRS, Proof
from compactml.files import write_atomically

__all__ = ["Certificate"]

LOAD_ERRORS = (
    AttributeError, EOFError, KeyError, OSError, OverflowError, RuntimeError, TypeError, ValueError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What NumPy raises for a file that is empty, no archive, another one, or damaged."""

LARGEST_RATIO = 1040
"""Bytes that a byte of a compressed file can stand for, and a little more."""

MOST_FEATURES = 10_000
MOST_BYTES = 2**30
"""Of all arrays together. Multipliers of zero are proper ones, and a file holds them in a thousandth of their size."""
HEADER_BYTES = 1024
"""More than the header of an array takes in the archive."""

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
        """Write the certificate as a compressed NumPy archive, atomically.

        Raises
        ------
        InvalidParameterError
            What is no path.
        InvalidDataError
            A certificate that `load` would refuse: of more than 10,000 features, or of more than 1 GiB.
        """
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
        largest = max((len(part.base) for part in self.multipliers), default=0)
        n_bytes = sum(HEADER_BYTES + np.asarray(array).nbytes for array in arrays.values())
        if largest > MOST_FEATURES or n_bytes > MOST_BYTES:
            allowed = f"of at most {MOST_FEATURES} features and {MOST_BYTES} bytes, which load reads"
            raise InvalidDataError("certificate", allowed, f"{largest} features and {n_bytes} bytes")
        archive = io.BytesIO()
        np.savez_compressed(archive, **arrays)
        write_atomically(check_path("path", path), archive.getvalue())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Certificate:
        """Read a certificate; what it takes of memory is bounded by the size of the file.

        Whatever the file, it is of at most 10,000 features, and its arrays unpacked take at most 1 GiB.

        Raises
        ------
        InvalidParameterError
            What is no path.
        InvalidDataError
            The file is no certificate.
        """
        place = check_path("path", path)
        try:
            with zipfile.ZipFile(place) as file:
                members, n_bytes = len(file.infolist()), sum(info.file_size for info in file.infolist())
                if n_bytes > MOST_BYTES:
                    raise ValueError(f"{n_bytes} bytes of arrays, more than {MOST_BYTES}")
                n_multipliers, sizes = int(_array(file, "n_multipliers")), _vector(file, "sizes", "iuf")
                if 3 * n_multipliers + len(PROOF_ARRAYS) * len(sizes) > members:
                    raise ValueError(f"{members} arrays, fewer than it says")
                multipliers = tuple(_multipliers(file, i) for i in range(n_multipliers))
                proofs = tuple(
                    Proof(size, *(_vector(file, f"{name}_of_{size}", "iu") for name in PROOF_ARRAYS))
                    for size in map(int, sizes)
                )
                n_features, t = int(_array(file, "n_features")), float(_array(file, "t"))
                return cls(t, None if n_features < 0 else n_features, multipliers, proofs)
        except LOAD_ERRORS as error:
            raise InvalidDataError("path", "a certificate written by save", f"{path} ({error})") from error


def _multipliers(file: zipfile.ZipFile, i: int) -> Multipliers:
    base = _vector(file, f"base_{i}", "iu")
    if len(base) > MOST_FEATURES:
        raise ValueError(f"base_{i} of {len(base)} features, more than {MOST_FEATURES}")
    upper, p = _vector(file, f"n_{i}", "f"), len(base)
    if len(upper) != p * (p - 1) // 2 or upper.dtype != np.float32:
        raise ValueError(f"n_{i} of length {len(upper)} for {p} features, type {upper.dtype}")
    n, start = np.zeros((p, p), dtype=np.float32), 0
    for row in range(p):  # the positions of all pairs would take more memory than N
        end = start + p - 1 - row
        n[row, row + 1 :] = n[row + 1 :, row] = upper[start:end]
        start = end
    return Multipliers(base, _vector(file, f"y_{i}", "f"), n)


def _vector(file: zipfile.ZipFile, name: str, kinds: str) -> NDArray[Any]:
    """An array of the file, if it has one dimension and a type of these kinds."""
    array = _array(file, name)
    if array.ndim != 1 or array.dtype.kind not in kinds:
        raise ValueError(f"{name} of shape {array.shape} and type {array.dtype}")
    return array


def _array(file: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """An array of numbers whose own head and the archive agree on its size, before any of it is read."""
    info = file.getinfo(f"{name}.npy")
    if info.file_size > LARGEST_RATIO * (info.compress_size + 1):
        raise ValueError(f"{name} of {info.file_size} bytes in {info.compress_size}")
    content = io.BytesIO(file.read(info))
    if np.lib.format.read_magic(content) != (1, 0):
        raise ValueError(f"{name} of another format")
    shape, _, dtype = np.lib.format.read_array_header_1_0(content)
    if dtype.kind not in "biuf" or math.prod(shape) * dtype.itemsize != info.file_size - content.tell():
        raise ValueError(f"{name} of shape {shape} and type {dtype}")
    content.seek(0)
    return np.lib.format.read_array(content, allow_pickle=False)
