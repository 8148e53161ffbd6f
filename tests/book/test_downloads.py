"""The notebooks that the pages offer: their prose reads without Jupyter Book."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pytest

from bookbuild.downloads import Citations, Reader, glued, write_downloads
from bookbuild.project import Project
from compactml.study.page.picture import Caption, picture

NAME = "notebooks/chapter/01_first"
BIB = """\
@article{one2020, title = {A}, author = {G{\\"u}nl{\\"u}k, Oktay}, year = {2020}}
@article{two2021, title = {B}, author = {de Boor, Carl and Lee, Ann}, year = {2021}}
@article{many2022, title = {C}, author = {Fan, A. and Lee, B. and Wei, C.}, year = {2022}}
"""
PAGE = """\
<p>See <a class="reference internal" href="#fig-one"><span class="std std-numref">Fig. 1.2</span></a> and
<a class="reference internal" href="#equation-eq-one">(3.4)</a>.</p>
"""
SAID = [
    ("{glue:text}`n` rows, {glue:text}`share:.1f` %", "12 rows, 33.3 %"),
    ("of {glue:text}`word`", "of it's"),
    ("{glue:text}`none:.1f`", "nan"),
    ("{cite:t}`one2020` and {cite:t}`many2022`", "Günlük (2020) and Fan et al. (2022)"),
    ("as known {cite:p}`two2021,one2020`", "as known (de Boor and Lee, 2021; Günlük, 2020)"),
    ("{doc}`02_second`, {doc}`/book/other`", "[Second](02_second.ipynb), [Other](../../book/other.md)"),
    ("{doc}`that page <02_second>`", "[that page](02_second.ipynb)"),
    ("{doc}`../../book/made`", "made"),
    ("{eq}`eq-one`", "(3.4)"),
    ("{ref}`Refitting <there>`", "Refitting"),
    ("{py:func}`~compactml.pace.compress`", "`compactml.pace.compress`"),
    ("(there)=\n## Refitting", "## Refitting"),
    ("<!-- rests on: a = holds -->\n## Held", "## Held"),
    ("```{math}\n:label: eq-one\n\na &= b \\\\\nc &= d\n```", "$$\na &= b \\\\\nc &= d\n\\tag{3.4}$$"),
    ("$$a=b$$ (eq-one)", "$$a=b\\tag{3.4}$$"),
    ("```{admonition} A title\n:class: note\nIts {glue:text}`n`.\n```", "> **A title**\n>\n> Its 12."),
    (":::{note}\nBelow.\n:::", "> Below."),
    ("`code` and $x_{i}$ stay", "`code` and $x_{i}$ stay"),
]


def glued_output(name: str, value: object) -> nbformat.NotebookNode:
    return nbformat.v4.new_output(
        "display_data",
        {"application/papermill.record/text/plain": repr(value)},
        metadata={"scrapbook": {"name": name, "mime_prefix": "application/papermill.record/"}},
    )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for path, text in {
        "_toc.yml": f"parts: [{{caption: Chapter, chapters: [{{file: {NAME}}}]}}]\n",
        "book/references.bib": BIB,
        "book/other.md": "# Other\n",
        "notebooks/chapter/02_second.md": "---\nkernelspec: {name: python3}\n---\n\n# Second\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return Project(tmp_path)


@pytest.fixture
def reader(project: Project) -> Reader:
    values = {"n": "12", "share": repr(100 / 3), "word": repr("it's"), "none": "nan"}
    return Reader(project, NAME, values, Citations(project.root / "book" / "references.bib"), PAGE)


@pytest.mark.parametrize(("text", "said"), SAID)
def test_prose_is_written_out(reader: Reader, text: str, said: str) -> None:
    assert reader.prose(text) == said


def test_a_number_that_no_cell_makes_known_is_an_error(reader: Reader) -> None:
    with pytest.raises(KeyError, match="01_first: the prose names 'missing'"):
        reader.prose("{glue:text}`missing`")


def test_the_offered_notebook_is_replaced(project: Project, tmp_path: Path) -> None:
    code = nbformat.v4.new_code_cell(
        "draw()",
        outputs=[
            glued_output("n", 12),
            nbformat.v4.new_output("stream", text="drawn"),
            nbformat.v4.new_output(
                "display_data",
                {
                    "text/html": str(
                        picture(lambda width: plt.figure(figsize=(width, 1)), Caption("", ""), "p")
                    )
                },
            ),
        ],
    )
    executed = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("{glue:text}`n`"), code])
    project.executed(NAME).parent.mkdir(parents=True)
    nbformat.write(executed, project.executed(NAME))
    page = tmp_path / "html" / f"{NAME}.html"
    page.parent.mkdir(parents=True)
    page.write_text(PAGE)
    write_downloads(project, tmp_path / "html")
    offered = nbformat.read(tmp_path / "html" / "_sources" / f"{NAME}.ipynb", as_version=4)
    nbformat.validate(offered)
    assert [cell.source for cell in offered.cells] == ["12", "draw()"]
    stream, drawn = offered.cells[1].outputs  # a glued value shows nothing
    assert stream.text == "drawn"
    assert drawn.data["text/html"].count("<svg") == 1  # the drawing for phones needs the book's style sheet
    assert glued(executed) == {"n": "12"}


def test_no_offered_notebook_has_a_role(html: Path) -> None:
    """Neither placeholders of numbers nor other roles or directives of MyST, in no cell."""
    offered = sorted((html / "_sources").rglob("*.ipynb"))
    assert offered
    for path in offered:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                assert not re.search(r"\{[a-z]+(:[a-z]+)?\}`|^(```|:::)\{", cell.source, re.MULTILINE), path
