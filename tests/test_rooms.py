"""The rules of the rooms: no function of a face hides a module, and compiled code lies by itself, annotated."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[1] / "src" / "compactml"
MODULES = sorted(SOURCES.rglob("*.py"))


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCES))


def public_names(face: Path) -> set[str]:
    """Return what a face lists in ``__all__``."""
    for node in ast.parse(face.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def functions(path: Path) -> Iterator[tuple[ast.FunctionDef, bool]]:
    """Yield the functions of a module with whether numba compiles them or takes them for an instruction."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    given = {
        argument.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "intrinsic"
        for argument in node.args
        if isinstance(argument, ast.Name)
    }
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            decorators = " ".join(map(ast.unparse, node.decorator_list))
            yield node, "njit" in decorators or node.name in given


def holds_kernels(path: Path) -> bool:
    return any(part.startswith("_kernels") for part in path.relative_to(SOURCES).parts)


@pytest.mark.parametrize("face", [path for path in MODULES if path.name == "__init__.py"], ids=name_of)
def test_no_name_of_a_face_hides_a_module(face: Path) -> None:
    assert public_names(face) & {path.stem for path in face.parent.iterdir()} == set()


@pytest.mark.parametrize("path", [path for path in MODULES if not holds_kernels(path)], ids=name_of)
def test_compiled_code_lies_with_the_kernels(path: Path) -> None:
    assert [function.name for function, compiled in functions(path) if compiled] == []


@pytest.mark.parametrize("path", [path for path in MODULES if holds_kernels(path)], ids=name_of)
def test_kernels_lie_by_themselves_and_are_annotated(path: Path) -> None:
    for function, compiled in functions(path):
        assert compiled, function.name
        assert function.returns is not None, function.name
        assert all(argument.annotation is not None for argument in function.args.args), function.name
