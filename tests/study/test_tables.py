from __future__ import annotations

import base64
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from compactml.study.judging.comparison import compare
from compactml.study.page.html import paper_layout, show

ON = ["dataset", "learner", "measure"]
PUBLISHED = pd.DataFrame(
    [
        (dataset, learner, measure, "0.50")
        for dataset in ("b", "a")
        for learner in ("RF", "ERT")
        for measure in ("SR", "AR")
    ],
    columns=[*ON, "value"],
)


def parsed(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser")


def grid_widths(page: BeautifulSoup) -> set[int]:
    """Width of every row of the table once the spans are laid out: one value if the table is well formed."""
    pending: dict[int, int] = {}
    widths = set()
    for row in page.select("tr"):
        column = 0
        taken, pending = pending, {k: n - 1 for k, n in pending.items() if n > 1}
        for cell in row.find_all(["th", "td"]):
            while column in taken:
                column += 1
            for _ in range(int(str(cell.get("colspan", 1)))):
                if int(str(cell.get("rowspan", 1))) > 1:
                    pending[column] = int(str(cell["rowspan"])) - 1
                column += 1
        while column in taken:
            column += 1
        widths.add(column)
    return widths


def test_text_is_escaped_and_nothing_else_is_markup() -> None:
    evil = "<script>&\"'"
    html = show(pd.DataFrame({evil: [evil]}), name=evil, caption=evil, note=evil)._repr_html_()

    page = parsed(html)
    assert page.script is None
    assert [page.select_one(name).get_text() for name in ("caption", "th", "td", ".cm-note")] == [evil] * 4
    assert evil in page.select_one(".cm-cite p").get_text()
    assert page.a["download"] == f"{evil}.csv"


def test_download_holds_the_table() -> None:
    frame = pd.DataFrame({("RF", "published"): ["1.0"], ("RF", "this build"): [0.1 + 0.2]}, index=["iris"])
    link = parsed(show(frame, name="table_1", note="run 0123456789ab")._repr_html_()).a
    head, _, content = str(link["href"]).partition(",")
    assert head == "data:text/csv;charset=utf-8;base64"
    first, rest = base64.b64decode(content).decode().split("\n", 1)
    assert first.startswith("# table_1, compactml ")
    assert "run 0123456789ab" in first
    back = pd.read_csv(StringIO(rest), index_col=0, float_precision="round_trip")
    assert back.columns.to_list() == ["RF published", "RF this build"]
    assert back.loc["iris"].to_list() == [1.0, 0.1 + 0.2]


def test_cells_are_judged_by_class_names_not_colours() -> None:
    words = ["every digit", "differs", "not at hand", "not run", "mixed", "anything"]
    frame = pd.DataFrame({"verdict": words})
    page = parsed(show(frame, name="x", verdicts=frame)._repr_html_())
    classes = [list(cell["class"]) for cell in page.find_all("td")]
    assert classes == [[*own, "cm-w"] for own in (["cm-same"], ["cm-differs"], *[["cm-missing"]] * 2, [], [])]
    assert not page.find_all(style=True)


def test_a_cell_whose_text_is_a_verdict_is_not_coloured_by_itself() -> None:
    """A column of tolerances says "every digit" and judges nothing."""
    page = parsed(show(pd.DataFrame({"tolerance": ["every digit", "differs"]}), name="x")._repr_html_())
    assert [cell["class"] for cell in page.find_all("td")] == [["cm-w"], ["cm-w"]]


def test_words_are_marked_and_numbers_are_not() -> None:
    page = parsed(
        show(pd.DataFrame({"": [1, 0.5, "2.0", "", pd.NA, None, "12 s", "two"]}), name="x")._repr_html_()
    )
    assert ["class" in cell.attrs for cell in page.find_all("td")] == [False] * 6 + [True] * 2


def test_headings_span_their_groups() -> None:
    columns = pd.MultiIndex.from_tuples([("RF", "p"), ("RF", "b"), ("ERT", "p")])
    index = pd.MultiIndex.from_tuples([("iris", "SR"), ("iris", "AR"), ("blood", "SR")], names=["data", "of"])
    page = parsed(show(pd.DataFrame("", index, columns), name="x")._repr_html_())
    assert grid_widths(page) == {5}
    spans = {th.get_text(): (th.get("colspan"), th.get("rowspan"), th["scope"]) for th in page.find_all("th")}
    assert spans["RF"] == ("2", None, "colgroup")
    assert spans["iris"] == (None, "2", "rowgroup")
    assert spans["data"] == (None, "2", "col")
    assert spans["blood"] == (None, None, "row")


def test_paper_layout_keeps_the_papers_order_and_marks_the_judged_value() -> None:
    build = PUBLISHED[PUBLISHED["dataset"] == "b"].assign(value=0.5014)
    recorded = PUBLISHED.assign(value=0.7)[1:]
    frame, verdicts = paper_layout(compare(PUBLISHED, recorded, build, ON), ["dataset", "measure"], "learner")
    assert frame.index.to_list() == [("b", "SR"), ("b", "AR"), ("a", "SR"), ("a", "AR")]
    parts = ["published", "recorded", "this build"]
    assert frame.columns.to_list() == [(learner, part) for learner in ("RF", "ERT") for part in parts]
    assert frame.loc[("b", "AR"), "RF"].to_list() == ["0.50", "0.70", "0.50"]
    assert verdicts.loc[("b", "AR"), "RF"].to_list() == ["", "", "every digit"]
    assert frame.loc[("a", "AR"), "ERT"].to_list() == ["0.50", "0.70", ""]
    assert verdicts.loc[("a", "AR"), "ERT"].to_list() == ["", "differs", ""]


def test_paper_layout_says_why_a_cell_is_empty_and_drops_empty_columns() -> None:
    some = PUBLISHED[:-1]
    build = some[some["dataset"] == "b"].assign(value=0.5)
    cells = compare(some, None, build, ON, not_at_hand=["a"])
    frame, verdicts = paper_layout(cells, ["dataset", "measure"], "learner")
    assert ("RF", "recorded") not in frame.columns
    assert frame.loc[("a", "AR"), "ERT"].to_list() == ["", ""]
    page = parsed(show(frame, name="x", verdicts=verdicts)._repr_html_())
    assert [cell.get_text() for cell in page.select(".cm-missing")] == ["not at hand"] * 3
    assert grid_widths(page) == {frame.shape[1] + 2}


def test_sphinx_keeps_the_download_link(tmp_path: Path) -> None:
    html = show(pd.DataFrame({"a": [1]}), name="table_1")._repr_html_()
    (tmp_path / "conf.py").touch()
    raw = "\n".join(f"   {line}" for line in html.splitlines())
    (tmp_path / "index.rst").write_text(f"Title\n=====\n\n.. raw:: html\n\n{raw}\n", encoding="utf-8")
    out = tmp_path / "out"
    with docutils_namespace():  # another test of this process may have registered the same nodes
        Sphinx(tmp_path, tmp_path, out, out, "html", status=None, warningiserror=True).build()
    link = parsed((out / "index.html").read_text(encoding="utf-8")).select_one("a[download]")
    assert link is not None
    assert str(link["href"]).startswith("data:text/csv")


def test_plain_text_form_is_the_frame() -> None:
    frame = pd.DataFrame({"a": [1.5]})
    assert repr(show(frame, name="x")) == frame.to_string()
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        show(frame, name="x", verdicts=frame.iloc[:, :0])._repr_html_()
