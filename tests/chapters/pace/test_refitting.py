"""The example of the section on refitting, its table and its picture."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.pictures import refitting
from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.trials.ensembles import ADABOOST
from compactml.chapters.pace.trials.paper import PACE, PRUNE
from compactml.study.page.picture import WIDE
from tests.chapters.pace.toy_tables import row


def test_two_stumps_are_enough_for_a_disjunction_only_if_their_leaves_are_free() -> None:
    table = refitting.disjunction_table()
    assert table["label"].to_list() == (table["a"] | table["b"]).to_list()
    sign = 2 * table["label"] - 1
    assert (sign * table["three stumps"] > 0).all()
    assert not (sign * table["two of them"] > 0).all()
    assert (sign * table["two, free leaves"] > 0).all()


def none(table: str) -> pd.DataFrame:
    """A table without rows."""
    return CHAPTER.table(table).rows([])


def refitted(dataset: str, size: int, **columns: object) -> dict[str, object]:
    sizes = {
        "total_leaves": 4 * size, "same_certified": 1, "same_size": size - 1, "same_leaves": 4 * size - 5,
        "deeper_certified": 1, "deeper_size": size - 3, "deeper_leaves": 4 * size - 7, "kind": "refit",
    }  # fmt: skip
    return row(dataset, PRUNE, size) | sizes | columns


def test_refitted_trees_stand_beside_pruned_ones_pace_and_print() -> None:
    rows = pd.DataFrame(
        [
            refitted("Seeds", 9),
            refitted("Seeds", 11, seed=1),
            refitted("Pol", 8, ensemble=ADABOOST),
            refitted("Fico", 7, certified=0, same_certified=0),
            refitted("Ionosphere", 7, certified=0, same_certified=0, deeper_certified=0),
        ]
    )
    own = pd.DataFrame(
        [row("Seeds", PACE, 8, total_leaves=40), row("Seeds", PRUNE, 1), row("Fico", PACE, 8, certified=0)]
    )
    found = refitting.refitting_table(rows, {"table_1": own, "table_3": none("table_3")})
    assert found["dataset"].to_list() == ["Pol", "Fico", "Seeds"]
    assert found["ensemble"].to_list() == ["AdaBoost", "random forest", "random forest"]
    seeds = found.set_index("dataset").loc["Seeds"]
    printed = printed_sizes("table_1").loc[("Seeds", 25), PACE]
    assert seeds.filter(like="trees,").to_list() == [10, 8, 9, 7, printed]
    assert seeds.filter(like="leaves,").to_list() == [40, 40, 35, 33]
    fico = found.set_index("dataset").loc["Fico"]
    assert fico.filter(like="trees,").notna().to_list() == [False, False, False, True, True]
    assert (
        found.set_index("dataset").loc["Pol", f"trees, {refitting.PRINTED}"]
        == printed_sizes("table_3").loc[("Pol", 25), PACE]
    )


def test_the_picture_has_a_panel_for_each_kind_of_ensemble_and_none_of_no_rows() -> None:
    rows = pd.DataFrame([refitted("Seeds", 9), refitted("Pol", 8, ensemble=ADABOOST)])
    found = refitting.refitting_table(rows, {"table_1": none("table_1"), "table_3": none("table_3")})
    assert np.isnan(found[f"trees, {PACE}"]).all()
    fig = refitting.refitting_picture(found, 25, WIDE)
    assert [ax.get_title() for ax in fig.axes] == ["random forest", "AdaBoost"]
    assert len(fig.axes[0].lines) == 4
    empty = refitting.refitting_table(
        none("refitting"), {"table_1": none("table_1"), "table_3": none("table_3")}
    )
    assert empty.empty
    assert set(empty) == set(found)
    assert not refitting.refitting_picture(empty, 25, WIDE).axes[0].lines
