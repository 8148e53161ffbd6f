"""The library's packages import only downwards."""

from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]


def test_packages_import_only_downwards(capsys: pytest.CaptureFixture[str]) -> None:
    code = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert code == 0, capsys.readouterr().out


def test_an_upward_import_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "house"
    for room, content in {"upper": "", "lower": "import house.upper\n"}.items():
        (package / room).mkdir(parents=True)
        (package / room / "__init__.py").write_text(content)
    (package / "__init__.py").write_text("")
    ours = (ROOT / "pyproject.toml").read_text().partition("[tool.importlinter]")[2]
    layers = ours[ours.index("layers = [") :]
    contract = ours.replace("compactml", "house").replace(layers, 'layers = ["upper", "lower"]')
    (tmp_path / "pyproject.toml").write_text("[tool.importlinter]" + contract)
    monkeypatch.syspath_prepend(str(tmp_path))

    code = lint_imports(config_filename=str(tmp_path / "pyproject.toml"), no_cache=True)

    assert code == 1
    assert "house.lower is not allowed to import house.upper" in capsys.readouterr().out
