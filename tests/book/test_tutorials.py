"""The tutorials: pages of the book on foreign data with peers, honest about when a method is not worth it."""

from __future__ import annotations

import re
from pathlib import Path

import jupytext
import pytest
import yaml

from bookbuild.front import DOORS
from bookbuild.project import Project

ROOT = Path(__file__).resolve().parents[2]
TEXTS = sorted((ROOT / "notebooks" / "use").glob("*.md"))
METHODS = {"boolean_rules", "condition_sharing", "ensemble_pruning", "feature_selection", "pace"}
NOT_PROSE = re.compile(r"\{[a-z:]+\}`[^`]*`|`[^`]*`")
TYPED = 1
"""Numbers that a tutorial's prose may have that are not of its run, such as the values of a byte."""


def cells(text: Path, kind: str) -> list[str]:
    return [cell.source for cell in jupytext.read(text).cells if cell.cell_type == kind]


def test_there_is_one_for_each_method_and_each_is_a_page() -> None:
    assert {text.stem for text in TEXTS} == METHODS
    assert {f"notebooks/use/{name}" for name in METHODS} <= set(Project(ROOT).notebooks())


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.stem)
def test_it_says_when_it_is_worth_it_and_when_not(text: Path) -> None:
    prose = "\n".join(cells(text, "markdown"))
    assert (
        prose.index("## When it is worth it")
        < prose.index("## When it is not")
        < prose.index("## To go further")
    )
    assert re.search(r"\{ref\}`[^<]*<parameters-\w+>`", prose)
    assert f"{{doc}}`/notebooks/{text.stem}/01_method`" in prose


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.stem)
def test_a_method_runs_on_foreign_data_beside_peers_and_its_sentences_are_checked(text: Path) -> None:
    code = "\n".join(cells(text, "code"))
    assert f"from compactml.{text.stem} import " in code
    assert "compactml.datasets" not in code
    assert re.search(r"(?:hdma|flchain|hi|fair|penguins|flights)\(\)", code)
    assert "sklearn.ensemble" in code
    assert "said(" in code
    assert not re.search(r"^\s*(?:def|class) ", code, re.MULTILINE)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.stem)
def test_numbers_in_the_prose_are_of_its_run(text: Path) -> None:
    told = set(
        re.findall(r"(\w+)=", " ".join(re.findall(r"tell\((.*?)\n\)", "\n".join(cells(text, "code")), re.S)))
    )
    prose = "\n".join(cells(text, "markdown"))
    assert set(re.findall(r"\{glue:text\}`(\w+)`", prose)) <= told
    assert len(re.findall(r"\d[\d,.]*", NOT_PROSE.sub("", prose))) <= TYPED


def test_the_third_door_of_the_front_page_leads_to_them() -> None:
    address, *words = DOORS[2]
    assert " ".join(words) == "Use it on your data"
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    (part,) = [one for one in contents["parts"] if one["caption"] == "Use it on your data"]
    assert part["chapters"][0]["file"] == f"book/{address.removesuffix('.html')}"
