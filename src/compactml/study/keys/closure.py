"""The code that decides a result: the import closure of the module that computes it, as one hash, and its libraries.

The hash of a module is that of its syntax tree, in which every import of the project is replaced by the hash of the
module that it names and the name that it takes. So a moved file changes nothing, and a swapped import changes the hash
of all that reach it. Modules that import each other are hashed as one unit. What is left out stands in
`compactml.study.keys.left_out`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import grimp
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from compactml.errors import InvalidParameterError
from compactml.study.keys import syntax
from compactml.study.keys.left_out import left_out

__all__ = ["LIBRARIES", "Code", "Project", "code_of", "library_versions", "module_of"]

PACKAGE = "compactml"
SOLVERS = "compactml.solvers"
LIBRARIES = {
    "numpy": ("numpy", ()),
    "scipy": ("scipy", ("numpy",)),
    "sklearn": ("scikit-learn", ("numpy", "scipy")),
    "numba": ("numba", ("numpy",)),
    "pandas": ("pandas", ("numpy",)),
    "highspy": ("highspy", ("numpy",)),
    "ortools": ("ortools", ()),
    "gurobipy": ("gurobipy", ()),
    "cplex": ("cplex", ()),
    "pystreed": ("pystreed", ("numpy", "scikit-learn")),
    "pyscipopt": ("pyscipopt", ("numpy",)),
}
"""By the name that is imported: the distribution of a library that computes, and those that it computes with."""


@dataclass(frozen=True)
class Code:
    """The code behind a kind of trial.

    Attributes
    ----------
    sha256 : str
    modules : frozenset of str
        The closure, without what is left out.
    libraries : tuple of str
        Distributions that compute, sorted.
    solves : bool
        Whether it reaches `compactml.solvers`.
    """

    sha256: str
    modules: frozenset[str]
    libraries: tuple[str, ...]
    solves: bool


class Project:
    """The modules of some top-level packages or modules, their imports and their hashes, each read once.

    Parameters
    ----------
    roots : iterable of str

    Raises
    ------
    InvalidParameterError
        A root that cannot be imported, or is not made of Python files.
    """

    def __init__(self, roots: Iterable[str]) -> None:
        self._folders = {root: _folder(root) for root in roots}
        packages = [root for root in self._folders if self._path(root).name == "__init__.py"]
        self._graph = grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)
        own = {name for name in self._graph.modules if name.partition(".")[0] in self._folders}
        self.modules = frozenset(own | set(self._folders))
        self._parsed: dict[str, syntax.Parsed] = {}
        self._faces: dict[str, syntax.Parsed] = {}
        self._imports: dict[str, syntax.Imported] = {}
        self._codes: dict[str, Code] = {}
        self._hashes: dict[str, str] = {}

    def code(self, module: str) -> Code:
        """Return the code behind a module.

        Raises
        ------
        InvalidParameterError
            No module of this name is in the project.
        """
        if module not in self.modules:
            raise InvalidParameterError("code", "the dotted name of a module of the project", module)
        if module not in self._codes:
            closure = self._closure(module)
            imported = {one for each in closure for one in self.imports(each).outside if one in LIBRARIES}
            solves = any(name == SOLVERS or name.startswith(f"{SOLVERS}.") for name in closure)
            self._hash(closure)
            libraries = _distributions(imported)
            self._codes[module] = Code(self._hashes[module], frozenset(closure), libraries, solves)
        return self._codes[module]

    def imports(self, module: str) -> syntax.Imported:
        """Return the project's other modules that a module imports, those that are left out too, and what it imports
        besides, by its top-level names.
        """
        if module not in self._imports:
            inside, outside = syntax.imported(self._tree(module), self.modules.__contains__)
            self._imports[module] = syntax.Imported(inside - {module}, outside - set(self._folders))
        return self._imports[module]

    def _closure(self, module: str) -> set[str]:
        closure, waiting = set(), [module]
        while waiting:
            name = waiting.pop()
            if name not in closure and (name == module or left_out(name) is None):
                closure.add(name)
                waiting += self.imports(name).inside
        return closure

    def _hash(self, closure: set[str]) -> None:
        """Hash the modules of a closure; each circle of imports when all that it imports besides is hashed."""
        names = sorted(name for name in closure if name not in self._hashes)
        imports = {
            name: {other for other in self.imports(name).inside if left_out(other) is None} for name in names
        }
        place = {name: i for i, name in enumerate(names)}
        edges = [(place[a], place[b]) for a in names for b in imports[a] if b in place]
        starts, ends = np.array(edges, dtype=int).reshape(-1, 2).T
        graph = csr_array((np.ones(len(edges)), (starts, ends)), shape=(len(names), len(names)))
        _, circles = connected_components(graph, directed=True, connection="strong")
        waiting = [
            [name for name in names if circles[place[name]] == number] for number in np.unique(circles)
        ]
        while waiting:
            ready = [circle for circle in waiting if self._is_ready(circle, imports)]
            for circle in ready:
                self._hashes.update(self._circle(circle))
            waiting = [circle for circle in waiting if circle[0] not in self._hashes]

    def _is_ready(self, circle: list[str], imports: dict[str, set[str]]) -> bool:
        return all(other in self._hashes or other in circle for name in circle for other in imports[name])

    def _circle(self, members: list[str]) -> dict[str, str]:
        """Hash modules that import each other as one: first without their names, then with their places in the unit."""

        def stand_in(places: dict[str, str]) -> Callable[[str], str]:
            return lambda name: left_out_text(name) or places.get(name) or self._hashes[name]

        if len(members) == 1:
            return {name: _sha256(self._text(name, stand_in({name: "itself"}))) for name in members}
        first = {name: self._text(name, stand_in(dict.fromkeys(members, "circle"))) for name in members}
        order = {text: str(i) for i, text in enumerate(sorted(set(first.values())))}
        places = {name: f"circle {order[first[name]]}" for name in members}
        texts = {name: self._text(name, stand_in(places)) for name in members}
        unit = _sha256(*sorted(texts.values()))
        return {name: _sha256(unit, texts[name]) for name in members}

    def _text(self, module: str, stand_in: Callable[[str], str]) -> str:
        """Return a module's tree as text, and what the faces of its packages do whenever it is imported."""
        parts = module.split(".")
        faces = [".".join(parts[:n]) for n in range(1, len(parts))]
        doing = [self._face(face) for face in faces if face in self.modules]
        parsed = [self._tree(module), *(face for face in doing if face.tree.body)]
        return "\n".join(syntax.dump(one, self.modules.__contains__, stand_in) for one in parsed)

    def _tree(self, module: str) -> syntax.Parsed:
        if module not in self._parsed:
            path = self._path(module)
            package = module if path.name == "__init__.py" else module.rpartition(".")[0]
            self._parsed[module] = syntax.parse(path.read_text(encoding="utf-8"), package)
        return self._parsed[module]

    def _face(self, package: str) -> syntax.Parsed:
        if package not in self._faces:
            self._faces[package] = syntax.effects(self._tree(package))
        return self._faces[package]

    def _path(self, module: str) -> Path:
        root, *inner = module.split(".")
        base = self._folders[root].joinpath(root, *inner)
        return base / "__init__.py" if base.is_dir() else base.with_name(f"{base.name}.py")


def left_out_text(module: str) -> str | None:
    """Return what stands for a module that is left out."""
    what = left_out(module)
    return None if what is None else f"left out: {what}"


def _folder(root: str) -> Path:
    """Return the folder in which a top-level module or package lies; looking for it imports nothing."""
    spec = find_spec(root)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise InvalidParameterError("code", "top-level names of modules made of Python files", root)
    origin = Path(spec.origin)
    return origin.parent.parent if origin.name == "__init__.py" else origin.parent


def _distributions(imported: Iterable[str]) -> tuple[str, ...]:
    """Return the distributions of libraries that are imported and of those that they compute with."""
    needed = dict(LIBRARIES.values())
    distributions: set[str] = set()
    waiting = [LIBRARIES[name][0] for name in imported]
    while waiting:
        name = waiting.pop()
        if name not in distributions:
            distributions.add(name)
            waiting += needed[name]
    return tuple(sorted(distributions))


def _sha256(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


@cache
def project(root: str = PACKAGE) -> Project:
    """Return this package, with another top-level package or module that uses it."""
    return Project(dict.fromkeys((PACKAGE, root)))


@cache
def code_of(module: str) -> Code:
    """Return the code behind a module, read once per process.

    Parameters
    ----------
    module : str
        Of this package, or of another one that uses it.

    Raises
    ------
    InvalidParameterError
        It cannot be imported.
    """
    return project(module.partition(".")[0]).code(module)


def module_of(function: Callable[..., Any]) -> str:
    """Return the dotted name of a function's module, also where it is the program that was started."""
    name = function.__module__
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return spec.name if name == "__main__" and spec is not None else name


def library_versions(libraries: Iterable[str]) -> dict[str, str]:
    """Return the versions of distributions as their metadata name them, empty for one that is not installed."""
    return {name: _version(name) for name in libraries}


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
