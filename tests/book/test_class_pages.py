"""What users call has a page of its own: in the contents, documented once, with words for its parameters."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "book" / "api" / "classes").glob("*.md"))
CALLED = {
    "share_conditions", "BooleanRuleClassifier", "BooleanRuleClassifierCV", "DecileBinarizer", "CFSSelector",
    "MRMRSelector", "PrunedEnsembleClassifier", "PrunedEnsembleRegressor", "prune", "PaceClassifier", "compress",
    "refit",
}  # fmt: skip
TARGET = re.compile(r"^\.\. auto(?:class|function):: (compactml\.\w+)\.(\w+)$", re.MULTILINE)
NUMBER = re.compile(r"(?<!true )\(\d+\)|\(P\d\)|\b(?:Problem|Algorithm|Equation|Section)s? \d")
"""How a docstring names an equation or an algorithm of a paper; "true (1)" names a value."""


def documented(page: Path) -> tuple[str, str, Any]:
    """Package, name and object of a page."""
    (found,) = TARGET.findall(page.read_text(encoding="utf-8"))
    return found[0], found[1], getattr(import_module(found[0]), found[1])


def parameters(documented_object: object) -> str:
    """The section of a docstring on parameters."""
    text = inspect.getdoc(documented_object) or ""
    return text.partition("Parameters\n----------\n")[2].partition("\n\n")[0]


def test_each_has_a_page_that_the_contents_name() -> None:
    assert {page.stem for page in PAGES} == CALLED
    contents = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    assert all(contents.count(f"file: book/api/classes/{name}\n") == 1 for name in CALLED)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_of_the_package_leaves_it_out(page: Path) -> None:
    package, name, _ = documented(page)
    assert name == page.stem
    text = (ROOT / "book" / "api" / f"{package.rpartition('.')[2]}.md").read_text(encoding="utf-8")
    (left_out,) = re.findall(rf"automodule:: {package}\n   :members:\n   :exclude-members: \+(.*)\n", text)
    assert name in left_out.split(", ")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_parameters_are_described_without_the_papers_numbers(page: Path) -> None:
    said = parameters(documented(page)[2])
    assert len(said) > 100
    assert NUMBER.findall(said) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_it_has_an_example_and_advice(page: Path) -> None:
    assert ">>> " in (inspect.getdoc(documented(page)[2]) or "")
    text = page.read_text(encoding="utf-8")
    (label,) = re.findall(r"\{ref\}`here <(parameters-\w+)>`", text)
    assert f"\n({label})=\n" in (ROOT / "book" / "use" / "parameters.md").read_text(encoding="utf-8")
