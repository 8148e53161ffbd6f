"""Sphinx extension: names of the project in docstrings lead to the reference; one that does not exist is an error.

A docstring names what its module knows by the short name, and may name what the reference does not list. So a name that
Sphinx does not find is looked up by its end: among the names of the reference, to which it becomes a link, then among
all names of the project's code, where it stays as it is. What is found nowhere is reported, as are all names of other
packages but those that ``nitpick_ignore_regex`` lists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

import compactml

NAMED = (ast.ClassDef, ast.FunctionDef)
TYPES = ("class", "exception")


def resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: Element) -> Element | None:
    """Return what stands for a reference that Sphinx does not find; None reports it."""
    if node.get("refdomain") != "py":
        return None
    target = str(node["reftarget"]).lstrip(".")
    objects: dict[str, Any] = env.domains["py"].objects
    of_type = node["reftype"] == "class"
    listed = [
        name
        for name, entry in objects.items()
        if _ends(name, target) and (not of_type or entry.objtype in TYPES)
    ]
    if listed:
        name = min(listed, key=lambda name: (name.split(".")[:2] != _package(node), len(name), name))
        page, anchor = objects[name].docname, objects[name].node_id
        return make_refnode(app.builder, str(node["refdoc"]), page, anchor, [shown], name)
    # napoleon makes a reference of every word of a type: "array of shape (n, p), optional"
    words = of_type and not target.startswith("compactml.")
    return shown if words or any(_ends(name, target) for name in project_names()) else None


def _ends(name: str, target: str) -> bool:
    return name == target or name.endswith(f".{target}")


def _package(node: pending_xref) -> list[str]:
    return str(node.get("py:module") or "").split(".")[:2]


@cache
def project_names() -> frozenset[str]:
    """Return the modules of the project, what stands in them, and the members of their classes; dotted."""
    root = Path(compactml.__file__).parent
    names = set[str]()
    for path in root.rglob("*.py"):
        module = ".".join(path.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__")
        names |= {module, *(f"{module}.{name}" for name in _names(ast.parse(path.read_text("utf-8"))))}
    return frozenset(names)


def _names(body: ast.Module | ast.ClassDef) -> Iterator[str]:
    """Yield the names that a module or a class binds."""
    for part in body.body:
        if isinstance(part, NAMED):
            yield part.name
        if isinstance(part, ast.ClassDef):
            yield from (f"{part.name}.{name}" for name in _names(part))
        targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
        for target in targets:
            elements = target.elts if isinstance(target, ast.Tuple) else [target]
            yield from (one.id for one in elements if isinstance(one, ast.Name))


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect."""
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
