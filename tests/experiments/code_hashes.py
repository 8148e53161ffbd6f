"""Whether the modules whose code decides a result are all named: those that they import must be, too."""

import ast
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path


def not_named(
    code: Iterable[str], left_out: Iterable[str] = (), whole: tuple[str, ...] = ("compactml.solvers",)
):
    """Imports of the modules of ``code`` that are neither named nor left out; ``whole`` packages are not opened."""
    code = tuple(code)
    known = (*code, *left_out)
    return {
        f"{module} imports {one}"
        for module in code
        if module not in whole
        for one in imported_modules(module)
        if not any(one == name or one.startswith(f"{name}.") for name in known)
    }


def imported_modules(module: str) -> set[str]:
    """Modules of the project that a module imports, also those imported from their package by name."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    found = set()
    for node in ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("compactml"):
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in inside if is_module(name)} or {str(node.module)}
    return found


def is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the parent is a module, not a package
        return False
