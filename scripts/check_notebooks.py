"""Run mypy over the code of the notebooks, written as one module each; run by ``make lint``.

ruff reads notebooks by itself, mypy does not.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import jupytext
from mypy import api

ROOT = Path(__file__).resolve().parents[1]
GOAL = ROOT / "_build" / "notebooks_as_modules"


def write_modules() -> None:
    """Write every notebook's code as a module, lines of IPython as comments."""
    shutil.rmtree(GOAL, ignore_errors=True)
    GOAL.mkdir(parents=True)
    for path in sorted((ROOT / "notebooks").rglob("*.md")):
        name = f"{path.parent.name}_{path.stem}".replace("-", "_")
        (GOAL / f"{name}.py").write_text(jupytext.writes(jupytext.read(path), "py:percent"), encoding="utf-8")


def main() -> None:
    """Print what mypy finds and exit with its code."""
    write_modules()
    options = ["--config-file", str(ROOT / "pyproject.toml"), "--no-warn-unused-ignores"]
    found, errors, code = api.run([*options, *map(str, sorted(GOAL.glob("*.py")))])
    sys.stdout.write(found)
    sys.stderr.write(errors)
    sys.exit(code)


if __name__ == "__main__":
    main()
