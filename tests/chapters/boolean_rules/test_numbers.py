"""Numbers of the prose by hand: cells, the FICO rule, proofs, engines, the toolkit, growth, the examples."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pandas as pd
import pytest

from compactml.chapters.boolean_rules import NAME, method, numbers, protocol, shown
from compactml.chapters.boolean_rules.chapter import CHAPTER
from compactml.chapters.boolean_rules.rows import beside_search, exponent
from compactml.chapters.boolean_rules.trials.engines import OURS as SEARCH
from compactml.study.recording.published import home
from compactml.study.recording.recorded import write_recorded
from compactml.study.recording.results import Results
from tests.chapters.boolean_rules.toy_tables import optima
from tests.study.toy_report import finished


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the printed tables and nothing recorded."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    return tmp_path


def results(**recorded: pd.DataFrame) -> Results:
    """Results with these recorded rows and nothing run."""
    for id, rows in recorded.items():
        write_recorded(NAME, id, rows, [finished("iris")])
    return Results(CHAPTER, lambda id: [])


def test_the_protocol_is_told_in_numbers() -> None:
    found = numbers.nested(results()) | numbers.trade_off(results())
    assert found == {
        "rules_paper_folds": 3, "rules_paper_small": 60, "rules_paper_large": 120, "rules_paper_values": 3,
        "rules_older_small": 5, "rules_older_large": 2, "rules_older_grid_small": 32, "rules_older_grid_large": 80,
        "rules_our_small": 2, "rules_our_large": 8, "rules_grid_small": 40, "rules_grid_large": 160,
        "rules_shares": "3, 2, 1", "rules_fig_folds": 2, "rules_fig_limit_small": 2, "rules_fig_limit_large": 8,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("ours", "words"),
    [(7, "slightly worse than"), (9, "as good as"), (11, "better than"), (math.nan, "beside")],
)
def test_the_printed_rule_is_compared_by_loss(ours: float, words: str) -> None:
    rules = pd.DataFrame(
        {
            "dataset": "FICO",
            "method": ["printed", "CG"],
            "loss": [9, ours],
            "accuracy": [0.75, 0.5],
            "rule": ["(a AND b) OR (c)", "(d)"],
        }
    )
    assert numbers.fico(results(fico_rule=rules)) == {
        "rules_fico_compared": words,
        "rules_fico_all_rows": 75,
        "rules_fico_new_rows": 71.7,
    }


def test_the_stated_gap_stands_beside_that_of_the_stated_length() -> None:
    rows = pd.DataFrame(
        {"dataset": ["transfusion", "transfusion", "liver"], "C": [15, 9, 15], "loss": [50, 60, 9], "lp_bound": 49}
    ).assign(seconds=[3.0, 4.0, 5.0])  # fmt: skip
    assert numbers.gaps(results(paper_optima=rows)) == {
        "rules_gap_stated": 0.7,
        "rules_gap": pytest.approx(2),
        "rules_gap_seconds": 3.0,
        "rules_gap_limit": protocol.PAPER_OPTIMUM_LIMIT,
    }


def test_the_rules_are_drawn_by_clause_under_their_loss() -> None:
    rules = pd.DataFrame(
        {"dataset": "FICO", "method": ["printed", "CG"], "loss": [9, 7], "rule": ["(a AND b) OR (c)", "(d)"]}
    )
    first, second = shown.rule_cards(results(fico_rule=rules), 7.4).axes
    assert [text.get_text() for text in first.texts] == ["a", "b", "or", "c"]
    assert first.get_title(loc="left") == "published: loss 9"
    assert second.get_title(loc="left") == "CG (ours): loss 7"


def test_proofs_on_small_sets_are_of_the_paper_s_datasets() -> None:
    rows = optima()
    rows.loc[rows["dataset"] == "liver", "proved"] = 0
    found = results(optima=rows)
    assert numbers.small_proofs(found) == {"rules_small_solved": "3 of the 9", "rules_small_seconds": 1.0}
    assert numbers.small_sets(found) == {"rules_small_open": "liver with C = 12"}


def test_proofs_are_counted_with_what_the_largest_took() -> None:
    bank = pd.DataFrame({"dataset": ["bank-mkt"], "proved": 0, "seconds": 50.0, "gap": 0.015})
    recorded = results(optima=pd.concat([optima(), bank], ignore_index=True))
    assert numbers.optima(recorded) == {"rules_proved": "7 of 8", "rules_proved_sets": 6}
    found = numbers.large_proofs(recorded)
    assert (found["rules_adult_seconds"], found["rules_bank_seconds"]) == (30, 50)
    assert found["rules_bank_gap"] == pytest.approx(1.5)
    limits = [found[f"rules_{name}"] for name in ("short_limit", "long_limit", "long_gap")]
    assert limits == [60, 120, 2]


def engine_rows() -> pd.DataFrame:
    """Two problems; HiGHS ends at the limit on the second, and CPLEX refuses the first."""
    return pd.DataFrame(
        [
            ("heart", "HiGHS", 10, "proved", 1, 3000.0),
            ("heart", SEARCH, 10, "proved", 1, 2.0),
            ("heart", "CP-SAT", 10, "proved", 1, 30.0),
            ("heart", "CPLEX", 10, "ModelTooLargeError", 0, None),
            ("liver", SEARCH, 12, "proved", 1, 4.0),
            ("liver", "HiGHS", 12, "time limit", 0, 60.0),
            ("liver", "CP-SAT", 12, "proved", 1, 20.0),
        ],
        columns=["dataset", "method", "C", "outcome", "finished", "seconds"],
    )


def test_engines_stand_beside_our_search_on_the_same_problem() -> None:
    times = beside_search(engine_rows())["times slower"]
    assert times.fillna(-1).to_list() == [1500, -1, 15, -1, -1, 15, 5]


def test_engines_are_told_by_what_they_finish() -> None:
    assert numbers.engines(results(engines=engine_rows())) == {
        "rules_engine_tasks": 2, "rules_highs_finished": 1, "rules_highs_least": "1,500",
        "rules_cpsat_finished": 2, "rules_cpsat_least": "5",
    }  # fmt: skip
    brief = engine_rows().assign(seconds=lambda rows: rows["seconds"].where(rows["seconds"] != 20.0, 0.09))
    found = numbers.engines(results(engines=brief))
    assert (found["rules_cpsat_finished"], found["rules_cpsat_least"]) == (2, "15")


def test_the_toolkit_is_compared_by_problem_by_run_and_after_a_tenth() -> None:
    columns = [
        "dataset", "lambda", "complexity", "aix360_loss", "aix360_seconds", "our_loss", "our_bound", "our_seconds",
        "ratio", "our_loss_in_tenth", "our_seconds_in_tenth",
    ]  # fmt: skip
    rows = [
        ("a", 0.1, 0, 50, 1.0, None, None, None, None, None, None),  # it chose no clause
        ("a", 0.2, 7, 46, 10.0, 46, 46, 1.0, 10.0, 46, 0.5),
        ("a", 0.3, 7, 46, 10.0, 46, 46, 5.0, 2.0, 47, 2.0),  # the same problem; late and worse
        ("b", 0.1, 5, 30, 10.0, 28, 20, 40.0, 0.25, 29, 1.01),  # longer and open, better at the end
        ("c", 0.1, 5, 30, 10.0, 31, 31, 20.0, 0.5, None, None),  # worse; nothing after a tenth
    ]
    recorded = results(aix360=pd.DataFrame(rows, columns=columns))
    assert numbers.toolkit(recorded) == {
        "rules_peer_problems": 3, "rules_peer_better": 1, "rules_peer_equal": 1, "rules_peer_worse": 1,
    }  # fmt: skip
    assert numbers.toolkit_runs(recorded) == {
        "rules_peer_none": 1, "rules_peer_pairs": 4, "rules_peer_optimal": 2,
        "rules_peer_ratio": 1.25,
        "rules_peer_longer": 2, "rules_peer_longer_open": 1, "rules_peer_longer_improved": 1,
        "rules_peer_tenths": 3, "rules_peer_tenth": 2, "rules_peer_behind": 1,
        "rules_peer_overran": 1, "rules_peer_late_worse": 1, "rules_peer_latest": 2.0,
    }  # fmt: skip


def test_growth_is_an_exponent_and_how_learning_ended() -> None:
    rows = pd.DataFrame(
        {
            "dataset": "synthetic",
            "method": SEARCH,
            "n": [100, 10, 1000],
            "exact_3": [4.0, 2.0, 8.0],
            "learn": [7.0, 5.0, None],
            "gap": [0.01, 0.0, None],
        }
    )
    recorded = results(growth=rows)
    assert numbers.growth(recorded) == {
        "rules_growth_slope": pytest.approx(math.log10(2)), "rules_growth_n": "1,000", "rules_growth_from": "100",
    }  # fmt: skip
    found = numbers.growth_runs(recorded)
    assert found["rules_growth_learned"] == "100"
    assert (found["rules_growth_last"], found["rules_growth_gap"]) == (7, pytest.approx(1))
    limits = [found[f"rules_growth_{name}"] for name in ("c", "d", "limit")]
    assert limits == [14, 3, 120]
    assert math.isnan(exponent(rows["n"].head(1), rows["exact_3"].head(1)))


def test_nothing_run_and_nothing_recorded_is_no_error() -> None:
    nothing = results()
    assert math.isnan(numbers.large_proofs(nothing)["rules_bank_seconds"])
    assert math.isnan(numbers.toolkit_runs(nothing)["rules_peer_latest"])
    assert numbers.growth_runs(nothing)["rules_growth_learned"] == "nan"
    assert numbers.small_sets(nothing)["rules_small_open"] == "no problem"
    assert numbers.engines(nothing)["rules_engine_tasks"] == 0


def test_the_seven_rows_are_worked_by_hand() -> None:
    nothing = results()
    table = method.clauses(nothing).frame.set_index("clause")
    assert table.loc["a"].to_list() == [2, 2, 1]
    assert table.loc["ab"].to_list() == [3, 1, 0]
    assert table.loc["abc"].to_list() == [4, 0, 0]
    values = method.optima_by_complexity().set_index("C")
    assert values.loc[[2, 6, 9], "z_MIP"].to_list() == [2, 1, 0]
    assert method.relaxation(nothing) == {"rules_lp_c6": pytest.approx(0.75)}
    costs = method.costs_by_clause().set_index("clause")
    assert costs["at the start"].min() == -1
    last = costs["at the optimum for C = 6"]
    assert last.to_list() == pytest.approx([0, 0, 0, 0, 0, 0, 1])
    assert method.pricing(nothing)["rules_pricing_value"] == pytest.approx(-1)


def test_the_flowers_and_the_game_are_proved_optimal() -> None:
    nothing = results()
    assert method.iris(nothing) == {"rules_iris_loss": 6, "rules_iris_errors": 6}
    assert method.flower_rules().lower_bound_ == 6
    found = method.tic_tac_toe(nothing)
    assert (found["rules_ttt_loss"], found["rules_ttt_clauses"]) == (0, 8)
    assert found["rules_ttt24_check"] == "holds"
