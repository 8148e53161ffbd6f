"""A module's syntax tree without what cannot change a result, and its imports in a form that a move does not change."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["dump", "effects", "imported", "parse"]

StandIn = Callable[[str], str]
"""From the dotted name of a module to what stands for it in the text."""
Found = Callable[[str], bool]
"""Whether a dotted name is that of a module of the project."""


def parse(source: str, package: str) -> ast.Module:
    """Return a module's tree without docstrings, each import of one name a statement, relative ones made absolute.

    Parameters
    ----------
    source : str
    package : str
        Package of the module, its own name if it is one.
    """
    tree = ast.parse(source)
    for block in _blocks(tree):
        block[:] = [new for item in block if not _is_docstring(item) for new in _single(item, package)]
    return tree


def imported(tree: ast.Module, is_module: Found) -> set[str]:
    """Return the project's modules that a tree imports, and those that a text in it names ("compactml.solvers.highs").

    A text counts since modules are also imported by name: a table of such names declares them.
    """
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.add(_target(node, is_module)[0])
        elif named(node, is_module):
            found.add(str(node.value))  # type: ignore[attr-defined]
    return {name for name in found if is_module(name)}


def named(node: ast.AST, is_module: Found) -> bool:
    """Whether a node is a text that names a module below a top-level package."""
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and "." in node.value
        and is_module(node.value)
    )


def dump(tree: ast.Module, is_module: Found, stand_in: StandIn) -> str:
    """Return a tree as text, with ``stand_in`` of a module of the project in place of its name.

    Statements of imports that follow each other are sorted, since a sorter of imports goes by the names, unless two of
    them bind the same name. The tree is used up.
    """
    changed = _StandIns(is_module, stand_in).visit(tree)
    for block in _blocks(changed):
        _sort_imports(block)
    return ast.dump(changed)


def effects(tree: ast.Module) -> ast.Module:
    """Return the statements of a package's face that may do more than import and define.

    Whoever imports a module of the package runs them too.
    """
    doing = [
        item
        for item in tree.body
        if not isinstance(item, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)
        and not (_plain_assignment(item) and not any(isinstance(node, ast.Call) for node in ast.walk(item)))
    ]
    return ast.Module(doing, [])


def _plain_assignment(item: ast.stmt) -> bool:
    targets = item.targets if isinstance(item, ast.Assign) else [getattr(item, "target", None)]
    return isinstance(item, ast.Assign | ast.AnnAssign) and all(
        isinstance(target, ast.Name) for target in targets
    )


def _blocks(tree: ast.AST) -> Iterator[list[Any]]:
    """Yield the lists of statements of a tree, which may be changed in place."""
    for node in ast.walk(tree):
        for _, block in ast.iter_fields(node):
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _single(item: ast.stmt, package: str) -> list[ast.stmt]:
    """Split a statement that imports several names, and write out a relative import."""
    if isinstance(item, ast.Import):
        return [ast.Import([alias]) for alias in item.names]
    if not isinstance(item, ast.ImportFrom):
        return [item]
    module = item.module or ""
    if item.level:
        parents = package.split(".")[: len(package.split(".")) - item.level + 1]
        module = ".".join([*parents, module] if module else parents)
    return [ast.ImportFrom(module, [alias], 0) for alias in item.names]


def _target(node: ast.Import | ast.ImportFrom, is_module: Found) -> tuple[str, str]:
    """Return the module that a statement of one name imports, and the name that it takes of it ("" for itself)."""
    (alias,) = node.names
    if isinstance(node, ast.Import):
        return alias.name, ""
    whole = f"{node.module}.{alias.name}"
    return (whole, "") if is_module(whole) else (str(node.module), alias.name)


class _StandIns(ast.NodeTransformer):
    """Puts what stands for a module in the place of its name."""

    def __init__(self, is_module: Found, stand_in: StandIn) -> None:
        self.is_module, self.stand_in = is_module, stand_in

    def visit_Import(self, node: ast.Import) -> ast.AST:
        return self._import(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        return self._import(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not named(node, self.is_module):
            return node
        return ast.Constant(f"module {self.stand_in(str(node.value))}")

    def _import(self, node: ast.Import | ast.ImportFrom) -> ast.AST:
        module, taken = _target(node, self.is_module)
        if not self.is_module(module):
            return node
        return ast.ImportFrom(self.stand_in(module), [ast.alias(taken, _bound(node))], 0)


def _bound(node: ast.Import | ast.ImportFrom) -> str:
    """Return the name that a statement binds: ``import a.b`` binds a, and whoever uses it writes a.b."""
    (alias,) = node.names
    return alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)


def _sort_imports(block: list[ast.stmt]) -> None:
    start = 0
    while start < len(block):
        end = start
        while end < len(block) and isinstance(block[end], ast.Import | ast.ImportFrom):
            end += 1
        imports = [item for item in block[start:end] if isinstance(item, ast.Import | ast.ImportFrom)]
        names = [_bound(item) for item in imports]
        if len(set(names)) == len(names):
            block[start:end] = sorted(imports, key=ast.dump)
        start = max(end, start + 1)
