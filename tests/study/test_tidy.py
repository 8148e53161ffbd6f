"""What is downloaded: one number a column, marks beside it, and a line that says where it comes from."""

from __future__ import annotations

from io import StringIO

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from compactml.study.page.figure_data import COLUMNS, figure_data
from compactml.study.page.html import show
from compactml.study.page.tidy import as_csv, tidy


def read_back(frame: pd.DataFrame) -> dict[str, list[object]]:
    """The tidy table as a program reads its CSV, without missing values."""
    text = tidy(frame).to_csv(index=False)
    back = pd.read_csv(StringIO(text), keep_default_na=False, na_values=[""])
    return {str(name): back[name].dropna().to_list() for name in back}


def test_a_table_of_numbers_stays_as_it_is() -> None:
    frame = pd.DataFrame({"dataset": ["iris", "seeds"], "seconds": [0.5, np.nan], "trees": [1, 2]})
    pd.testing.assert_frame_equal(tidy(frame), frame, check_dtype=False)


def test_numbers_with_units_become_columns_that_name_the_unit() -> None:
    frame = pd.DataFrame({"size · share · time": ["25 · 100 % · 191 s", "1,024 · 9.5 % · 0.5 s"]})
    expected = {"size": [25.0, 1024.0], "share (%)": [100.0, 9.5], "time (s)": [191.0, 0.5]}
    assert read_back(frame) == expected


def test_marks_and_words_stand_beside_the_numbers() -> None:
    frame = pd.DataFrame({"size": ["9.2†", "<3", "12", "not at hand", ""]})
    assert read_back(frame) == {"size": [9.2, 3.0, 12.0], "size note": ["†", "<", "not at hand"]}
    assert tidy(frame)["size note"].tolist() == ["†", "<", "", "not at hand", ""]


def test_printed_digits_are_kept() -> None:
    assert tidy(pd.DataFrame({"share": ["0.650", "25", "1,024.0"]}))["share"].tolist() == [
        "0.650",
        "25",
        "1024.0",
    ]


def test_cells_with_fewer_numbers_leave_the_last_columns_empty() -> None:
    frame = pd.DataFrame({"shares": ["0.6 · 0.4", "0.2 · 0.3 · 0.5"]})
    assert read_back(frame) == {"shares 1": [0.6, 0.2], "shares 2": [0.4, 0.3], "shares 3": [0.5]}


def test_a_column_of_words_stays_whole() -> None:
    texts = ["ten families", "9", "by hand", "five"]
    assert tidy(pd.DataFrame({"here": texts})).to_dict("list") == {"here": texts}


def test_shares_of_a_count_have_the_count_beside_them() -> None:
    frame = pd.DataFrame({"missed": ["0 of 4", "3 of 10"]})
    assert read_back(frame) == {"missed": [0, 3], "missed, of": [4, 10]}


@pytest.mark.parametrize("texts", [["iris", "magic04"], ["3 s", "2 min"], ["2 to 5", "x"], ["1.2.3", "a-1"]])
def test_what_is_no_number_of_one_unit_stays_text(texts: list[str]) -> None:
    assert tidy(pd.DataFrame({"x": texts})).to_dict("list") == {"x": texts}


def test_headings_of_two_levels_are_joined_and_row_headings_become_columns() -> None:
    columns = pd.MultiIndex.from_tuples([("RF", "published"), ("RF", "recorded")])
    index = pd.MultiIndex.from_tuples([("iris", "SR"), ("iris", "AR")], names=["dataset", None])
    frame = pd.DataFrame([["0.50", "0.7"], ["−1.5", "0.1"]], index, columns)
    found = tidy(frame)
    assert found.columns.tolist() == ["dataset", "row 2", "RF published", "RF recorded"]
    assert found["RF published"].tolist() == ["0.50", "-1.5"]


def test_two_columns_of_one_name_are_both_kept() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["n", "n"])
    assert tidy(frame).iloc[0].tolist() == [1, 2]


def test_no_value_is_lost() -> None:
    """Whatever a cell says stands in the download: its number, or its text."""
    texts = ["1 %", "T", "≈ 4 %", "+", "5 % ‡", "2 %"]
    found = tidy(pd.DataFrame({"gap": texts}))
    for row, text in zip(found.to_dict("records"), texts, strict=True):
        said = f"{row['gap (%)']} {row['gap note']}"
        for word in text.replace(" %", "").split():
            assert word in said.replace(".0", ""), (text, row)


def test_the_first_line_names_table_version_runs_and_commit() -> None:
    text = as_csv(pd.DataFrame({"a": [1]}), "pace_table_1", "run 0123456789ab · commit abcdef012")
    first, rest = text.split("\n", 1)
    assert first.startswith("# pace_table_1, compactml ")
    assert "run 0123456789ab" in first
    assert "commit abcdef012" in first
    assert pd.read_csv(StringIO(text), skiprows=1).to_dict("list") == {"a": [1]}
    assert rest == "a\n1\n"


def test_a_table_shows_how_it_is_cited() -> None:
    html = show(
        pd.DataFrame({"a": [1]}), name="pace_x", caption="A finding. How.", note="run 0123456789ab"
    )._repr_html_()
    assert "Cite this table" in html
    assert "A finding (pace_x; run 0123456789ab). In: The compactml authors (2026)." in html


def test_a_figure_gives_the_points_that_it_draws() -> None:
    fig, (left, right) = plt.subplots(1, 2)
    left.plot([1, 2], [3, 4], label="ours")
    left.plot([1.0, np.nan], [5.0, 6.0], "o", label="theirs")
    left.axvline(1.5)
    left.set(title="panel", xlabel="size", ylabel="time (s)")
    right.bar(["a", "b"], [10, 20], label="bars")
    data = figure_data(fig)
    plt.close(fig)
    assert tuple(data.columns) == COLUMNS
    ours = data[data["series"] == "ours"]
    assert ours[["panel", "x axis", "y axis", "kind", "x", "y"]].to_numpy().tolist() == [
        ["panel", "size", "time (s)", "line", 1.0, 3.0],
        ["panel", "size", "time (s)", "line", 2.0, 4.0],
    ]
    assert data[data["series"] == "theirs"][["x", "y"]].to_numpy().tolist() == [[1.0, 5.0]]
    assert data[data["kind"] == "bars"][["panel", "x", "y"]].to_numpy().tolist() == [
        ["2", "a", 10.0],
        ["2", "b", 20.0],
    ]
    assert len(data) == 5  # the line for the eye is none


def test_a_heat_map_gives_its_cells() -> None:
    fig, (first, second) = plt.subplots(1, 2)
    first.imshow([[1, 2], [3, 4]])
    second.pcolormesh(np.array([[5.0, 6.0]]))
    data = figure_data(fig)
    plt.close(fig)
    assert data[data["panel"] == "1"][["x", "y", "value"]].to_numpy().tolist() == [
        [0.0, 0.0, 1.0], [1.0, 0.0, 2.0], [0.0, 1.0, 3.0], [1.0, 1.0, 4.0],
    ]  # fmt: skip
    assert data[data["panel"] == "2"][["x", "y", "value"]].to_numpy().tolist() == [
        [0.5, 0.5, 5.0], [1.5, 0.5, 6.0],
    ]  # fmt: skip


def test_scatters_and_their_names_on_an_axis() -> None:
    fig, ax = plt.subplots()
    ax.scatter([1.0, 2.0], [0, 1], label="dots")
    ax.set_yticks([0, 1], ["iris", "seeds"])
    data = figure_data(fig)
    plt.close(fig)
    assert data[["series", "x", "y"]].to_numpy().tolist() == [["dots", 1.0, "iris"], ["dots", 2.0, "seeds"]]
