"""A module's syntax tree without what cannot change a result, and its imports in a form that a move does not change."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeGuard

__all__ = ["Imported", "Parsed", "dump", "effects", "imported", "parse"]

StandIn = Callable[[str], str]
"""From the dotted name of a module to what stands for it in the text."""
Found = Callable[[str], bool]
"""Whether a dotted name is that of a module of the project."""


@dataclass(frozen=True, eq=False)
class Parsed:
    """A module's tree, each import of one name a statement, and all in it that can name a module.

    Attributes
    ----------
    tree : Module
    blocks : tuple of list
        The lists of statements in it that have imports.
    texts : tuple of Constant
        The texts in it that have a dot.
    """

    tree: ast.Module
    blocks: tuple[list[Any], ...]
    texts: tuple[ast.Constant, ...]


class Imported(NamedTuple):
    """Modules of the project that a module imports or names in a text, and top-level names of all other imports."""

    inside: frozenset[str]
    outside: frozenset[str]


def parse(source: str, package: str) -> Parsed:
    """Return a module's tree without docstrings, each import of one name a statement, relative ones made absolute.

    Parameters
    ----------
    source : str
    package : str
        Package of the module, its own name if it is one.
    """
    return _looked_through(ast.parse(source), package)


def imported(parsed: Parsed, is_module: Found) -> Imported:
    """Return what a tree imports, in whatever place, and the project's modules that a text in it names.

    A text ("compactml.solvers.backends.highs") counts since modules are also imported by name: a table of such names
    declares them.
    """
    targets = {_target(item, is_module)[0] for block in parsed.blocks for item in block if _is_import(item)}
    inside = {name for name in targets if is_module(name)}
    named = {str(one.value) for one in parsed.texts if is_module(str(one.value))}
    return Imported(frozenset(inside | named), frozenset(name.partition(".")[0] for name in targets - inside))


def dump(parsed: Parsed, is_module: Found, stand_in: StandIn) -> str:
    """Return a tree as text, with ``stand_in`` of a module of the project in place of its name.

    Statements of imports that follow each other are sorted, since a sorter of imports goes by the names, unless two of
    them bind the same name.
    """
    with _standing_in(parsed, is_module, stand_in):
        return ast.dump(parsed.tree)


def effects(parsed: Parsed) -> Parsed:
    """Return the statements of a package's face that may do more than import and define.

    Whoever imports a module of the package runs them too.
    """
    doing = [
        item
        for item in parsed.tree.body
        if not isinstance(item, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)
        and not (_plain_assignment(item) and not any(isinstance(node, ast.Call) for node in ast.walk(item)))
    ]
    return _looked_through(ast.Module(doing, []), "")


def _looked_through(tree: ast.Module, package: str) -> Parsed:
    """Split imports and drop docstrings in one walk; a tree that was looked through already stays as it is."""
    blocks: list[list[Any]] = []
    texts: list[ast.Constant] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and "." in node.value:
                texts.append(node)
            continue
        for value in (getattr(node, name, None) for name in node._fields):
            if isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    value[:] = [
                        new for item in value if not _is_docstring(item) for new in _single(item, package)
                    ]
                    if any(map(_is_import, value)):
                        blocks.append(value)
                waiting += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append(value)
    return Parsed(tree, tuple(blocks), tuple(texts))


def _plain_assignment(item: ast.stmt) -> bool:
    targets = item.targets if isinstance(item, ast.Assign) else [getattr(item, "target", None)]
    return isinstance(item, ast.Assign | ast.AnnAssign) and all(
        isinstance(target, ast.Name) for target in targets
    )


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_import(node: ast.stmt) -> TypeGuard[ast.Import | ast.ImportFrom]:
    return isinstance(node, ast.Import | ast.ImportFrom)


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


@contextmanager
def _standing_in(parsed: Parsed, is_module: Found, stand_in: StandIn) -> Iterator[None]:
    """Put what stands for modules in the places of their names for a while, imports sorted."""
    blocks = [(block, list(block)) for block in parsed.blocks]
    texts = [(text, str(text.value), text.kind) for text in parsed.texts if is_module(str(text.value))]
    try:
        for block, _ in blocks:
            block[:] = [_replaced(item, is_module, stand_in) if _is_import(item) else item for item in block]
            _sort_imports(block)
        for text, name, _ in texts:
            text.value, text.kind = f"module {stand_in(name)}", None
        yield
    finally:
        for block, before in blocks:
            block[:] = before
        for text, name, kind in texts:
            text.value, text.kind = name, kind


def _replaced(node: ast.Import | ast.ImportFrom, is_module: Found, stand_in: StandIn) -> ast.stmt:
    module, taken = _target(node, is_module)
    if not is_module(module):
        return node
    return ast.ImportFrom(stand_in(module), [ast.alias(taken, _bound(node))], 0)


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
