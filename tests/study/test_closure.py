"""The hash of the code behind a kind: what must change it, what must not, and that nothing is missed."""

from __future__ import annotations

import ast
import importlib
import os
from collections.abc import Callable
from pathlib import Path

import grimp
import pytest

from compactml import chapters
from compactml.errors import InvalidParameterError
from compactml.study.keys import syntax
from compactml.study.keys.closure import LIBRARIES, Project, code_of, module_of, project
from compactml.study.keys.left_out import LEFT_OUT, left_out

HOUSE = {
    "__init__": "",
    "kind": "from house.rooms.low import limit\n\n\ndef run(x):\n    return x < limit()\n",
    "rooms/__init__": "",
    "rooms/low": "def limit():\n    return 3\n",
    "rooms/high": "def limit():\n    return 4\n",
}
"""A package whose module ``kind`` calls ``limit`` of one of two others."""
KINDS = {
    f"{chapter.name} {kind.name}": module_of(kind.run)
    for chapter in chapters.every_chapter()
    for kind in chapter.kinds
}
BESIDE = {
    "ctypes", "joblib", "pooch", "psutil", "requests", "threadpoolctl", "tqdm", "yaml", "openpyxl", "aix360", "fipe",
    "skfeature", "imodels",
}  # fmt: skip
"""What the code of kinds may import beside the libraries that compute and Python's own modules."""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], str]:
    """Build the package anew with some of its modules changed, and return the hash of ``house.kind``."""
    monkeypatch.syspath_prepend(tmp_path)

    def build(changes: dict[str, str]) -> str:
        for path in sorted(tmp_path.rglob("*.py")):
            path.unlink()
        for name, text in (HOUSE | changes).items():
            path = tmp_path / "house" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        return Project(["house"]).code("house.kind").sha256

    return build


SAME = {
    "a comment, a docstring, other lines": {
        "kind": '"""A kind."""\nfrom house.rooms.low import limit\n\n\ndef run(x):  # small?\n    """Say."""\n'
        "    return (\n        x < limit()\n    )\n"
    },
    "a moved file": {
        "kind": HOUSE["kind"].replace("house.rooms.low", "house.cellar"),
        "cellar": HOUSE["rooms/low"],
    },
    "a relative import": {"kind": HOUSE["kind"].replace("house.rooms.low", ".rooms.low")},
    "another module": {"rooms/high": "def limit():\n    return 5\n"},
    "a face that only imports and defines": {
        "rooms/__init__": "from house.rooms.high import limit\n\nMORE = {}\n\n\ndef f(): ...\n"
    },
}
OTHER = {
    "a number of the module": {"kind": HOUSE["kind"].replace("x <", "x <=")},
    "a number of an imported module": {"rooms/low": "def limit():\n    return 4\n"},
    "a swapped import": {"kind": HOUSE["kind"].replace("rooms.low", "rooms.high")},
    "another name": {
        "kind": HOUSE["kind"].replace("import limit", "import top as limit"),
        "rooms/low": HOUSE["rooms/low"] + "\n\ndef top():\n    return 3\n",
    },
    "what the face of a package does": {"rooms/__init__": "import math\n\nmath.pi = 3\n"},
    "a module named in a text": {
        "kind": HOUSE["kind"] + "\n\nLATER = 'house.rooms.high'\n",
        "rooms/high": "def limit():\n    return 5\n",
    },
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME.keys())
def test_what_cannot_change_a_result_does_not_count(
    house: Callable[[dict[str, str]], str], change: dict[str, str]
) -> None:
    assert house({}) == house(change)


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER.keys())
def test_what_can_change_a_result_counts(
    house: Callable[[dict[str, str]], str], change: dict[str, str]
) -> None:
    assert house({}) != house(change)


def test_a_module_named_in_a_text_counts_with_all_that_it_does(
    house: Callable[[dict[str, str]], str],
) -> None:
    named = HOUSE["kind"] + "\n\nLATER = 'house.rooms.high'\n"
    assert house({"kind": named}) != house({"kind": named, "rooms/high": "def limit():\n    return 5\n"})


def test_two_swapped_names_of_one_import_count(house: Callable[[dict[str, str]], str]) -> None:
    both = "from house.rooms.high import limit as {}\nfrom house.rooms.low import limit as {}\n\nx = low() - high()\n"
    assert house({"kind": both.format("high", "low")}) != house({"kind": both.format("low", "high")})
    apart, together = (
        "from house.rooms.low import f\nfrom house.rooms.low import g\n",
        ("from house.rooms.low import f, g\n"),
    )
    low = {"rooms/low": "f = 1\ng = 2\n"}
    assert house({"kind": apart} | low) == house({"kind": together} | low)


def circle(first: str, second: str, number: int) -> dict[str, str]:
    """Two modules that import each other, under two names."""
    return {
        "kind": f"from house.{first} import a\n",
        first: f"from house import {second} as other\n\na = {number}\n",
        second: f"from house import {first} as other\n\nb = 2\n",
    }


def test_a_circle_is_hashed_as_one_unit(house: Callable[[dict[str, str]], str]) -> None:
    assert house(circle("one", "two", 1)) == house(circle("zwei", "eins", 1))
    assert house(circle("one", "two", 1)) != house(circle("one", "two", 3))
    swapped = circle("one", "two", 1) | {"kind": "from house.two import b as a\n"}
    assert house(circle("one", "two", 1)) != house(swapped)
    far = circle("one", "two", 1)
    assert house(far) != house(far | {"two": far["two"].replace("b = 2", "b = 3")})


def test_an_unknown_module_is_refused() -> None:
    for name in ("compactml.no_such_module", "no_such_package.module", "math"):
        with pytest.raises(InvalidParameterError, match=name.split(".")[0]):
            code_of(name)


def test_a_module_outside_a_package_has_the_package_in_its_closure() -> None:
    found = code_of("tests.study.toy_trials")
    assert {"tests.study.toy_trials", "compactml.solvers.backends.highs"} <= found.modules
    assert "highspy" in found.libraries


def test_what_is_read_from_the_trees_is_what_grimp_finds() -> None:
    """Beside imports, a text may name a module; nothing that grimp finds is missed."""
    graph = grimp.build_graph("compactml", cache_dir=None)
    whole = project()
    assert whole.modules == graph.modules
    for module in graph.modules:
        found = graph.find_modules_directly_imported_by(module) - {module}
        assert found <= whole.imports(module).inside
        for more in whole.imports(module).inside - found:
            assert repr(more)[1:-1] in Path(whole._path(module)).read_text(encoding="utf-8")


def test_every_module_that_imports_a_solver_is_in_the_code_of_what_solves() -> None:
    whole = project()
    inside = {name for name in whole.modules if name.startswith("compactml.solvers.")}
    back_ends = {
        name for name in inside if whole.imports(name).outside & {"highspy", "gurobipy", "cplex", "pyscipopt"}
    }
    assert len(back_ends) >= 3
    for module in KINDS.values():
        assert not code_of(module).solves or back_ends <= code_of(module).modules


def test_every_library_of_a_kind_is_known() -> None:
    """A new import must be named here, or in the list of libraries that compute."""
    import sys

    for module in KINDS.values():
        for name in code_of(module).modules:
            found = project().imports(name).outside - set(sys.stdlib_module_names)
            assert found <= {*LIBRARIES, *BESIDE}, name


def test_what_is_left_out_has_a_reason_and_exists() -> None:
    for one in LEFT_OUT:
        assert one.reason
        assert any(left_out(name) == one.what for name in project().modules)
    assert left_out("compactml.pace._compress") is None


def test_modules_of_errors_hold_nothing_else() -> None:
    for module in project().modules:
        if left_out(module) == "errors" and module != "compactml.errors":
            body = ast.parse(project()._path(module).read_text(encoding="utf-8")).body
            kinds = (ast.ClassDef, ast.Import, ast.ImportFrom, ast.Expr, ast.Assign)
            assert all(isinstance(item, kinds) for item in body), module


@pytest.mark.parametrize("module", sorted(set(KINDS.values())))
def test_what_a_kind_runs_takes_nothing_from_a_profile(module: str) -> None:
    """Profiles are left out of the key: a function that runs a trial must not read one."""
    tree = ast.parse(project()._path(module).read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and left_out(str(node.module)) == "profiles"
        for alias in node.names
    }
    assert not imported & reached(tree, {name for name in KINDS if KINDS[name] == module})


def reached(tree: ast.Module, kinds: set[str]) -> set[str]:
    """Names that the functions of kinds use, with all that those of the same module use."""
    uses = {}
    for item in tree.body:
        targets = item.targets if isinstance(item, ast.Assign) else [getattr(item, "target", item)]
        for name in [getattr(one, "name", getattr(one, "id", None)) for one in targets]:
            uses[name] = {node.id for node in ast.walk(item) if isinstance(node, ast.Name)}
    chapter, kind = next(iter(kinds)).split(" ", 1)
    assert kind
    functions = {one.run.__name__ for one in chapters.chapter(chapter).kinds} & set(uses)
    found, waiting = set(), list(functions)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += uses.get(name, ())
    assert functions
    return found


def test_the_test_of_profiles_can_fail() -> None:
    tree = ast.parse(
        "def run_sharing(trial):\n    return helper()\n\n\ndef helper():\n    return Profile.QUICK\n"
    )
    assert "Profile" in reached(tree, {"condition-sharing sharing"})


def test_hashes_are_computed_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    first = {module: code_of(module) for module in KINDS.values()}
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: pytest.fail("read again"))
    monkeypatch.setattr(os, "scandir", lambda *_: pytest.fail("looked for again"))
    assert {module: code_of(module) for module in KINDS.values()} == first


def test_every_module_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    real = ast.parse
    monkeypatch.setattr(ast, "parse", lambda source: parsed.append(source) or real(source))
    whole = Project(["compactml"])
    for module in sorted(set(KINDS.values())):
        whole.code(module)
    assert len(parsed) == len(whole._parsed)


def test_a_text_for_a_module_leaves_the_tree_as_it_was() -> None:
    """A module of a circle is written down twice, and a package's face once for each module in it."""
    tree = syntax.parse('from a import b, c\n\nx = u"a.d"\nif x:\n    import a.d\n    y = 1\n', "a")
    before = ast.dump(tree.tree)
    found = [syntax.dump(tree, {"a", "a.d", "a.b"}.__contains__, stand_in) for stand_in in (str.upper, str)]
    assert "module A.D" in found[0]
    assert found[0] != found[1]
    assert ast.dump(tree.tree) == before
