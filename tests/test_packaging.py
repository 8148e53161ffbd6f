"""What `pip install` is told that the library needs is what it imports, within the bounds of the lock."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = [one for extra in PROJECT["optional-dependencies"].values() for one in extra]
BY_PANDAS = {"openpyxl"}  # for workbooks
ELSEWHERE = {
    "aix360",
    "fipe",
    "imodels",
    "skfeature",
}  # programs that run in environments of their own import these
BY_MATPLOTLIB = {"cycler"}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=]", one)[0] for one in requirements}


def imported(path: Path) -> set[str]:
    """Top-level packages that a file imports, also within functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    return found


def test_every_import_is_declared_and_nothing_else() -> None:
    modules = set().union(*map(imported, (ROOT / "src").rglob("*.py")))
    packages = packages_distributions()
    others = modules - sys.stdlib_module_names - {"compactml"} - BY_MATPLOTLIB - ELSEWHERE
    distributions = {packages[module][0].lower() for module in others} | BY_PANDAS
    assert distributions == names([*PROJECT["dependencies"], *EXTRAS])


def test_bounds_are_those_that_the_lock_is_made_from() -> None:
    lines = (ROOT / "requirements.in").read_text(encoding="utf-8").splitlines()
    direct = {line.partition("#")[0].strip() for line in lines} - {""}
    declared = [*PROJECT["dependencies"], *EXTRAS]
    assert {one for one in declared if names([one]) & names(list(direct))} <= direct
