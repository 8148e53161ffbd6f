"""The paper's tables as squares and curves: each cell once, in the colour of what became of it, in both layouts."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.chapter import CHAPTER
from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.pictures import curves, squares
from compactml.chapters.feature_selection.printed import EXACT, printed_runs
from compactml.chapters.feature_selection.protocol import SMALL
from compactml.study.page import page as pages
from compactml.study.page.live import LIVE
from compactml.study.page.picture import NARROW, WIDE, page_colours
from compactml.study.recording.published import home
from compactml.study.recording.recorded import write_recorded
from compactml.study.recording.results import Results
from tests.chapters.feature_selection.toy_tables import as_printed, growing, proofs, sizes, whole
from tests.study.toy_report import finished

PICTURES = {
    "endings": squares.endings, "scores": squares.scores, "data": squares.data, "small": curves.small_times,
    "sizes": curves.set_sizes, "times": curves.times, "exact": curves.exact, "growth": curves.growth,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A repository with the printed tables and nothing recorded."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    with page_colours():
        yield
    plt.close("all")


def results(**recorded: pd.DataFrame) -> Results:
    for id, rows in recorded.items():
        write_recorded(NAME, id, whole(id, rows), [finished("zoo")])
    return Results(CHAPTER, lambda id: [])


def counts(figure: Figure) -> dict[str, int]:
    """The numbers of the legend by what they count."""
    texts = [text.get_text().split(" ", 1) for text in figure.legends[0].get_texts()]
    return {what: int(number) for number, what in texts}


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_a_layout_for_both_widths_even_of_nothing(name: str, width: float) -> None:
    fig = PICTURES[name](results(), width)
    assert fig.get_figwidth() == width
    fig.canvas.draw()
    assert np.isfinite(fig.get_size_inches()).all()


def test_a_run_is_coloured_by_how_it_ended_beside_the_printed_one() -> None:
    printed = as_printed("table_2")
    zoo = (printed["dataset"] == "Zoo") & (printed["method"] == "MILP3")
    first = printed.index[printed["outcome"] == "time limit"][0]
    ours = printed.copy()
    ours.loc[zoo, "outcome"] = "time limit"
    found = squares.runs_as_printed(results(table_2=ours)).set_index(["dataset", "method", "table"])[
        "outcome"
    ]
    assert found["Zoo", "MILP3", "Table 2"] == "ended otherwise"
    assert found["Zoo", "MILP1", "Table 2"] == "proved in both"
    stopped = ours.loc[first, "dataset"], ours.loc[first, "method"], "Table 2"
    assert found[stopped] == "stopped by a clock in both"
    assert set(found[found.index.get_level_values("table") == "Table 3"]) == {"not run"}
    proved = (printed_runs("table_2")["outcome"] == "proved").sum()
    assert (found == "proved in both").sum() == proved - 1


def test_a_run_that_a_shorter_limit_ended_is_no_difference() -> None:
    ours = as_printed("table_2")
    zoo = (ours["dataset"] == "Zoo") & (ours["method"] == "MILP3")
    ours.loc[zoo, ["outcome", "time_limit"]] = ["time limit", 0.01]
    found = squares.runs_as_printed(results(table_2=ours)).set_index(["dataset", "method", "table"])[
        "outcome"
    ]
    assert found["Zoo", "MILP3", "Table 2"] == "stopped here sooner"


def test_every_size_and_score_is_drawn_once() -> None:
    of_full_set = 2 * len(DATASETS)
    every = {"Table 5": 3, "Table 6": 5, "Table 7": 5}
    fig = squares.scores(results(), WIDE)
    drawn = sum(counts(fig).values())
    printed = sum(
        len(results().counted_cells(id).query("method != 'full set'"))
        for id in ("table_5", "table_6", "table_7")
    )
    assert drawn == printed + of_full_set
    assert [text.get_text() for text in fig.axes[0].texts] == list(every)


def test_the_files_are_compared_with_table_1() -> None:
    table = sizes()
    table.loc[table["dataset"] == "Zoo", "n_here"] += 1
    found = counts(squares.data(results(table_1=table), WIDE))
    assert found == {
        "fits": 2 * len(DATASETS) - 1,
        "does not fit": 1,
        "nothing to compare": 10 * len(DATASETS),
    }


def points(figure: Figure, hollow: bool) -> dict[str, int]:
    """How many points each series has, by its colour: those that are hollow, or the others."""
    found: dict[str, int] = {}
    for ax in figure.axes:
        for line in ax.lines:
            if line.get_linestyle() == "None" and (line.get_fillstyle() == "none") is hollow:
                name = str(line.get_color())
                found[name] = found.get(name, 0) + len(np.asarray(line.get_xdata()))
    return found


def test_small_runs_are_hollow_where_a_clock_ended_them() -> None:
    both = results(table_2=as_printed("table_2"), table_3=as_printed("table_3"))
    runs = pd.concat([printed_runs("table_2"), printed_runs("table_3")])
    runs = runs[runs["dataset"].isin(SMALL) & runs["method"].isin(EXACT)].drop_duplicates(
        ["dataset", "method"]
    )
    timed = runs.dropna(subset=["seconds"])
    fig = curves.small_times(both, WIDE)
    assert sum(points(fig, hollow=False).values()) == (timed["outcome"] == "proved").sum()
    assert sum(points(fig, hollow=True).values()) == (timed["outcome"] != "proved").sum()
    assert [text.get_text() for text in fig.axes[0].get_yticklabels()] == list(SMALL)


@pytest.mark.parametrize(("draw", "id"), [(curves.times, "beyond"), (curves.exact, "exact")])
def test_a_problem_without_a_proof_has_a_hollow_marker(draw: Callable[..., Figure], id: str) -> None:
    ours = proofs()
    ours.loc[ours["dataset"] == "colon", "proved"] = 0
    with_one = draw(results(beyond=ours, exact=ours), WIDE)
    without = draw(results(beyond=proofs(), exact=proofs()), WIDE)
    less = sum(points(without, hollow=True).values()) + 2
    assert sum(points(with_one, hollow=True).values()) == less


def test_growth_leaves_out_what_was_too_large() -> None:
    rows = pd.concat([growing(), pd.DataFrame([{"method": "MILP3", "p": 100, "proved": np.nan}])])
    fig = curves.growth(results(growth=rows.assign(dataset="ORL_32x32")), WIDE)
    assert [text.get_text() for text in fig.legends[0].get_texts()] == ["our method", "Algorithm 2"]
    assert [text.get_text() for text in fig.axes[0].get_xticklabels()] == ["25", "50", "100"]


def test_printed_tables_are_folded_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIVE, "0")
    monkeypatch.setattr(pages, "glue", lambda name, value, display: None)
    html = BeautifulSoup(pages.Page(CHAPTER).full("table_2", "table_5"), "html.parser")
    folds = html.find_all("details")
    summaries = [fold.find("summary").get_text() for fold in folds]  # type: ignore[union-attr]
    assert summaries == [f"Table {n} in full, and where ours differs" for n in (2, 5)]
    assert [len(fold.find_all("table")) for fold in folds] == [2, 2]
    assert "PCMAC" in folds[0].get_text()
