"""Every notebook's text and its .ipynb twin say the same, and the twin holds no outputs."""

import ast
import re
from pathlib import Path

import jupytext
import pytest
from jupytext.compare import NotebookDifference, compare_notebooks

from bookbuild.execute import declared_parameters

ROOT = Path(__file__).resolve().parents[2]
TEXTS = sorted((ROOT / "notebooks").rglob("*.md"))
TWINS = sorted(p for p in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
KNOWN = {"profile", "solver", "time_limit", "seed", "jobs"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def compare(text: Path, twin: Path) -> None:
    actual, expected = jupytext.read(twin), jupytext.read(text)
    compare_notebooks(actual, expected, fmt="md:myst", compare_outputs=False, compare_ids=False)


def test_every_text_has_its_twin() -> None:
    assert [text.with_suffix(".ipynb") for text in TEXTS] == TWINS, "run `make pair`"
    assert TEXTS


@pytest.mark.parametrize("text", TEXTS, ids=name)
def test_twin_says_the_same(text: Path) -> None:
    compare(text, text.with_suffix(".ipynb"))


@pytest.mark.parametrize("twin", TWINS, ids=name)
def test_twin_holds_no_outputs(twin: Path) -> None:
    code = [cell for cell in jupytext.read(twin).cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)


@pytest.mark.parametrize("text", TEXTS, ids=name)
def test_parameters_stand_first(text: Path) -> None:
    """The cell of the parameters, where there is one, is the first but for the opening of a chapter."""
    code = [cell for cell in jupytext.read(text).cells if cell.cell_type == "code"]
    tagged = [cell for cell in code if "parameters" in cell.metadata.get("tags", [])]
    first = [cell for cell in code if "import opening" not in cell.source][: len(tagged)]
    assert tagged == first
    assert len(tagged) <= 1


@pytest.mark.parametrize(
    "text", [*TEXTS, ROOT / "template" / "notebooks" / "01_reproduction.md"], ids=lambda path: path.name
)
def test_no_parameter_is_dead(text: Path) -> None:
    code = [cell for cell in jupytext.read(text).cells if cell.cell_type == "code"]
    plain = [cell.source for cell in code if "parameters" not in cell.metadata.get("tags", [])]
    module = ast.parse("\n".join(re.sub(r"^%.*", "", source, flags=re.MULTILINE) for source in plain))
    read = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    assert set(declared_parameters(text)) <= KNOWN & read


def test_an_edited_twin_is_noticed(tmp_path: Path) -> None:
    notebook = jupytext.read(TEXTS[0])
    notebook.cells[0].source += " edited"
    jupytext.write(notebook, tmp_path / "edited.ipynb")
    with pytest.raises(NotebookDifference):
        compare(TEXTS[0], tmp_path / "edited.ipynb")
