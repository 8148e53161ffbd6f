"""When is a notebook up to date? When nothing that its output depends on has changed: its key says so.

Jupyter Book's own cache looks at the cells only: after a change in the library it would show old numbers.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pooch

from bookbuild.project import Project
from compactml import datasets
from compactml.datasets.packaged import PACKAGED, packaged
from compactml.solvers import solver_identity
from compactml.study.keys.closure import LIBRARIES, library_versions
from compactml.study.page.live import runs_trials

SHARED = ("src", "data", "requirements.lock")
"""The library, the data of the repository and the lock."""


def notebook_keys(project: Project, parameters: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return for each notebook the SHA-256 of all that its output depends on, with the parameters that it is given."""
    shared = hashlib.sha256()
    for line in [*content_lines(project.root, SHARED), *_data_at_hand(), *_environment()]:
        shared.update(line.encode() + b"\n")
    keys = {}
    for name, given in parameters.items():
        own = shared.copy()
        own.update(json.dumps(given, sort_keys=True).encode())
        own.update(project.source(name).read_bytes())
        said = project.root / "book" / "findings" / f"{Path(name).parent.name}.yml"
        if said.is_file():  # what the box says that opens the chapter
            own.update(said.read_bytes())
        keys[name] = own.hexdigest()
    return keys


def _environment() -> Iterator[str]:
    """Python, libraries and solvers as they are installed here, on which trials may depend; and whether any is run."""
    yield json.dumps(library_versions(name for name, _ in LIBRARIES.values()))
    yield json.dumps([sys.version_info[:2], solver_identity(), runs_trials()])


def content_lines(root: Path, tops: Iterable[str]) -> Iterator[str]:
    """Yield path and SHA-256 of each file below some files and folders, in order."""
    for top in tops:
        for path in _files(root / top):
            yield f"{path.relative_to(root).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _files(top: Path) -> list[Path]:
    if top.is_file():
        return [top]
    return sorted(p for p in top.rglob("*") if p.is_file() and not _is_derived(p))


def _is_derived(path: Path) -> bool:
    return any(part == "__pycache__" or part.endswith(".egg-info") for part in path.parts)


def _data_at_hand() -> Iterator[str]:
    """The raw datasets (laid out ``<key>/<file>``) by size and time: they may be large, and are hashed at use."""
    for place in PACKAGED:
        path = packaged(*place)
        if path is not None:
            yield f"{'/'.join(place)} {path.stat().st_size} {path.stat().st_mtime_ns}"
    cache = os.environ.get("COMPACTML_CACHE") or pooch.os_cache("compactml")
    registered = set(datasets.keys())
    for folder in (os.environ.get("COMPACTML_DATA"), cache):
        if folder:
            # the folder of downloads has other caches beside the data, which a build fills
            files = [p for p in Path(folder).glob("*/*") if p.is_file() and p.parent.name in registered]
            for path in sorted(files):
                state = path.stat()
                yield f"{path.relative_to(folder).as_posix()} {state.st_size} {state.st_mtime_ns}"
