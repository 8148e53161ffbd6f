"""The library's packages import only downwards."""

import os
import subprocess
import sys
from pathlib import Path

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
    assert "3 kept, 0 broken" in ran.stdout


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
