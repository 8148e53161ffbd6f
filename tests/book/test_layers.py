"""The library's packages import only downwards, and a method knows neither another one nor what is above it."""

import os
import subprocess
import sys
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contract in a folder's pyproject.toml, in a process of its own: it reconfigures logging."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [LINT_IMPORTS, "--no-cache", "--config", folder / "pyproject.toml"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_packages_import_only_downwards() -> None:
    ran = lint(ROOT)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "2 kept, 0 broken" in ran.stdout


BELOW_METHODS = {
    *(
        "forests",
        "solvers",
        "checks",
        "errors",
        "clock",
        "compiling",
        "files",
        "kernel_cache",
        "native",
        "watch",
        "kept",
        "_kernels",
    )
}
"""What a method may import: not the datasets, not the machinery of chapters, no other method."""
ROOMS = BELOW_METHODS | {
    *("cli", "book", "tutorials", "chapters", "study", "datasets", "warm_up", "model_files")
}
"""All packages and modules that are no method."""


def room(module: str) -> str:
    """The package below compactml that a module belongs to."""
    return module.split(".")[1]


def test_methods_know_only_what_is_below_them() -> None:
    graph = grimp.build_graph("compactml", cache_dir=None)
    modules = [module for module in graph.modules if module.count(".")]
    methods = {room(module) for module in modules} - ROOMS
    assert {"pace", "condition_sharing"} <= methods
    wrong = [
        f"{module} imports {other}"
        for module in modules
        if room(module) in methods
        for other in graph.find_modules_directly_imported_by(module)
        if other.count(".") and room(other) not in BELOW_METHODS | {room(module)}
    ]
    assert wrong == []
    upward = [
        f"{module} imports {other}"
        for module in modules
        if room(module) in BELOW_METHODS | {"study"}
        for other in graph.find_modules_directly_imported_by(module)
        if other.count(".") and room(other) in methods
    ]
    assert upward == []


def test_an_upward_import_is_found(tmp_path: Path) -> None:
    package = tmp_path / "house"
    for room, content in {"upper": "", "lower": "import house.upper\n"}.items():
        (package / room).mkdir(parents=True)
        (package / room / "__init__.py").write_text(content)
    (package / "__init__.py").write_text("")
    ours = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.importlinter]")[2]
    layers = ours[ours.index("layers = [") :]
    contract = ours.replace(layers, 'layers = ["upper", "lower"]').replace("compactml", "house")
    (tmp_path / "pyproject.toml").write_text("[tool.importlinter]" + contract)

    ran = lint(tmp_path)

    assert ran.returncode == 1
    assert "house.lower is not allowed to import house.upper" in ran.stdout
