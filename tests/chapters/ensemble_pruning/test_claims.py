"""Every claim is reproduced on what the paper states, and no longer once the numbers say otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.chapters.ensemble_pruning.claims import errata, findings
from compactml.chapters.ensemble_pruning.printed import stated
from compactml.study.judging.claims import Basis, changed_verdicts, check_claims, scorecard
from compactml.study.recording.recorded import recorded
from compactml.study.recording.tables import claim_tables
from tests.chapters.ensemble_pruning.toy_claims import row_of, verdicts
from tests.chapters.ensemble_pruning.toy_tables import (
    Tables,
    adding,
    as_stated,
    everywhere,
    setting,
    spreading,
    together,
)

ON_PRINT = {
    "theta": "mixed",
    "validation": "mixed",
    "rank-sums-table_4": "reproduced",
    "rank-sums-table_6": "reproduced",
    "rank-averages-table_4": "reproduced",
    "rank-averages-table_6": "reproduced",
    "rank-level": "reproduced",
    "most-balanced": "reproduced",
    "theta-dispersion-print": "mixed",
    "deviations": "reproduced",
    "constant": "not reproduced",
    "pfc-of-one": "not reproduced",
    "roles": "not reproduced",
    "redundant-accuracy": "reproduced",
    "redundant-recall": "reproduced",
    "theorem-1": "reproduced",
    "credit-example": "reproduced",
    "mean-pfc": "reproduced",
    "pfc-of-zero": "reproduced",
    "switched-off": "reproduced",
    "gamma-above-tau": "reproduced",
    "products": "reproduced",
    "extra-variables": "reproduced where testable",
    "least-pfc": "reproduced",
    "printed-theta-above-F1": "reproduced",
    "printed-theta-imbalanced": "reproduced",
    "printed-theta-first": "reproduced",
    "printed-theta-best-mean": "reproduced",
    "printed-both-ahead": "reproduced",
    "printed-theta-loses": "reproduced where testable",
    "spread-printed": "reproduced",
    "printed-hardest": "reproduced",
    "printed-diversity-gap": "reproduced",
    "printed-hill-climbing-ahead": "reproduced",
    "printed-diversity-ranks": "reproduced",
    "printed-competitive": "reproduced",
    "printed-full-last-4": "reproduced",
    "printed-full-last-6": "reproduced",
    "printed-theta-dispersion-large": "mixed",
}
"""What print itself decides, as found by hand."""
UNDECIDED = {
    "spread-rank", "hardest", "diversity-gap", "f2-wins", "theta-wins",
    "good-solutions-large-F1", "good-solutions-large-F3",
}  # fmt: skip
"""Claims that even what is stated does not decide: ranks of so few folds come no nearer than 0.47 for 0.45, with fewer
threads than the paper's a gap that is left confirms nothing, and the share of wins on nine datasets has too large an
error."""
WHERE_SOLVED = {"negligible-loss", "good-solutions-F1", "good-solutions-F3"}
"""Claims that what is stated decides on some datasets: a gap that is left leaves room for a loss, or a better one."""
OTHERS = "the paper's may return other ensembles, as good on the validation points"
ACCURACY, BALANCED = "test_accuracy", "test_balanced_accuracy"


AGAINST: dict[str, tuple[Callable[[Tables], None], str]] = {
    "table-2": (setting("table_2", "n", 1, dataset="PRK"), "mixed"),
    # neither another pool nor less time than the paper's refutes anything
    "solved-F1": (adding("table_3", "solver_gap", 0.01, "F1", "PRK", "MSK", "BCW"), "inconclusive"),
    "solved-F3": (adding("table_3", "solver_gap", 0.01, "F3", "PRK"), "reproduced where testable"),
    "small-gaps-F1": (adding("table_3", "solver_gap", 0.07, "F1"), "inconclusive"),
    "small-gaps-F3": (adding("table_3", "solver_gap", 0.01, "F3", "DEF"), "reproduced where testable"),
    "largest-dataset": (adding("table_3", "solver_gap", 0.02, "F1", "APS"), "reproduced where testable"),
    "hardest": (setting("table_3", "solver_gap", 0.0, dataset="DEF"), "inconclusive"),
    "diversity-gap": (setting("table_3", "solver_gap", 0.0, dataset="DRD"), "inconclusive"),
    "negligible-loss": (setting("table_3", "value", 990, method="F3"), "inconclusive"),
    "good-solutions-F1": (adding("table_3", "bound", 100.0, "F1"), "inconclusive"),
    "good-solutions-F3": (adding("table_3", "bound", 100.0, "F3"), "inconclusive"),
    "good-solutions-large-F1": (adding("table_3", "bound", 9e9, "F1", "APS"), "inconclusive"),
    "good-solutions-large-F3": (adding("table_3", "bound", 9e9, "F3", "APS"), "inconclusive"),
    "best-benchmarks": (adding("overfitting", ACCURACY, 0.02, "KAPPA"), "inconclusive"),
    "spread-accuracy": (adding("table_4", ACCURACY, -0.01, "BFT"), "inconclusive"),
    "spread-rank": (adding("table_4", ACCURACY, -0.01, "BFT"), "inconclusive"),
    "best-and-worst": (everywhere("table_4", ACCURACY, 0.01, "F1", "BFT"), "inconclusive"),
    "hill-climbing-ahead": (adding("table_4", ACCURACY, 0.01, "F3"), "inconclusive"),
    "competitive": (everywhere("table_4", ACCURACY, 0.2, "BFT", "FE"), "inconclusive"),
    "full-last-accuracy": (adding("table_4", ACCURACY, 0.2, "FE"), "inconclusive"),
    "diversity-helps": (adding("table_4", ACCURACY, 0.01, "F1"), "inconclusive"),
    "f2-wins": (adding("table_4", ACCURACY, -0.01, "F2"), "inconclusive"),
    "hill-climbing-dispersion": (spreading("table_4", ACCURACY, 9, "F1", "F2", "F3"), "inconclusive"),
    "diversity-dispersion": (spreading("table_4", ACCURACY, 9, "F3"), "inconclusive"),
    "theta-first": (adding("table_6", BALANCED, 0.01, "F1"), "inconclusive"),
    "theta-best-mean": (adding("table_5", BALANCED, 0.01, "BFT"), "inconclusive"),
    "both-ahead": (adding("table_6", BALANCED, 0.01, "HC-CON"), "inconclusive"),
    "theta-above-F1": (adding("table_5", BALANCED, 0.01, "F1"), "inconclusive"),
    "theta-wins": (adding("table_5", BALANCED, -0.01, "F1_theta"), "inconclusive"),
    "theta-loses-MSK": (adding("table_5", BALANCED, 0.01, "F1_theta", "MSK"), "inconclusive"),
    "theta-loses-DRD": (adding("table_5", BALANCED, 0.01, "F1_theta", "DRD"), "inconclusive"),
    "theta-imbalanced": (adding("table_5", BALANCED, 0.01, "BFT", "DEF", "BMK"), "inconclusive"),
    "theta-dispersion": (spreading("table_5", BALANCED, 99, "F1_theta"), "inconclusive"),
    "full-last-balanced": (adding("table_6", BALANCED, 0.2, "FE"), "inconclusive"),
    "smaller-gap-sooner": (setting("curves", "gap", 0.3, method="branching"), "not reproduced"),
    "flow-beats-program": (setting("bounds", "errors_isotonic", 60, kind="bounds"), "not reproduced"),
    "proved-optimal": (setting("table_3", "proved", 0, kind="program", method="F3"), "mixed"),
    "branching-closes": (setting("bounds", "errors_branching", 86, kind="bounds", dataset="DRD"), "mixed"),
    "diversity-costs-little": (
        together(*(setting("table_4", name, 240, method="F3", dataset="DRD") for name in ("value", "bound"))),
        "mixed",
    ),
    "programs-overfit": (adding("overfitting", ACCURACY, 0.05, "F1"), "not reproduced"),
}  # fmt: skip


def test_every_claim_is_reproduced_on_what_is_stated() -> None:
    found = verdicts(as_stated())
    assert {name: found.pop(name) for name in ON_PRINT} == ON_PRINT
    assert {name: found.pop(name) for name in UNDECIDED} == dict.fromkeys(UNDECIDED, "inconclusive")
    assert {found.pop(name) for name in WHERE_SOLVED} == {"reproduced where testable"}
    assert found.pop("table-2") == "reproduced where testable"  # not every number decides something
    assert set(found.values()) == {"reproduced"}
    assert set(found) == AGAINST.keys() - UNDECIDED - WHERE_SOLVED - {"table-2"}


@pytest.mark.parametrize("name", AGAINST)
def test_claim_falls_with_its_numbers(name: str) -> None:
    tables = as_stated()
    change, verdict = AGAINST[name]
    change(tables)
    assert verdicts(tables, f"/{name}") == {name: verdict}


def test_what_print_decides_reads_no_run() -> None:
    for one in check_claims([one for one in CHAPTER.claims if one.id.split("/")[1] in ON_PRINT], as_stated()):
        assert one.recorded == ()
        assert one.claim.basis is not Basis.RUNS


def test_the_pool_is_inferred_wherever_scores_are_compared() -> None:
    card = scorecard(CHAPTER.claims, as_stated()).set_index("id")
    scored = card["recorded"].str.contains("table_[456]|overfitting") & (card["basis"] == Basis.RUNS.value)
    assert scored.sum() == 21
    assert set(card.loc[scored, "inferred"]) == {"the paper does not give its pool of classifiers"}
    assert set(card.loc[scored, "data"]) == {"9 of 9 datasets", "1 of 1 dataset", "3 of 3 datasets"}
    times = card.loc[scored, "time"]
    assert times.pop("ensemble-pruning/best-benchmarks").startswith("300 of 300 s a benchmark, on one thread")
    assert set(times) == {"300 of 300 s a program, on one thread (the paper: eight cores)"}


def test_what_branching_closes_is_inconclusive_where_the_folds_differ_by_more() -> None:
    tables = as_stated()
    rows = tables["bounds"]
    rows.loc[
        (rows["kind"] == "bounds") & (rows["dataset"] == "DRD") & (rows["fold"] == 1), "errors_branching"
    ] = 85
    assert verdicts(tables, "branching-closes") == {"branching-closes": "reproduced where testable"}


def test_what_the_bounds_leave_open_of_a_loss_is_inconclusive() -> None:
    tables = as_stated()
    frame = tables["table_4"]
    row = row_of(tables, "diversity-costs-little")
    assert row["agreeing"] == row["stated"]
    frame.loc[(frame["method"] == "F1") & (frame["dataset"] == "DRD"), "bound"] = 255.0
    there = row_of(tables, "diversity-costs-little")
    assert (there["differing"], there["inconclusive"]) == (0, row["stated"] // 9)


def test_reasons_say_that_our_method_solves_the_programs_and_how_often_to_the_end() -> None:
    tables = as_stated()
    frame = tables["table_4"]
    frame.loc[(frame["method"] == "F2") & (frame["dataset"] == "DRD"), "proved"] = 0
    runs = len(frame[frame["method"] == "F2"])
    row = row_of(tables, "hill-climbing-ahead")
    solved = f"our method solves the programs, {3 * runs - runs // 9} of {3 * runs} to the proved optimum; "
    others = OTHERS + " where that is proved, else better or worse"
    assert row["reason"].endswith(solved + others)
    assert row_of(as_stated(), "hill-climbing-ahead")["reason"].endswith(OTHERS)
    assert "our method" not in str(row_of(tables, "best-benchmarks")["reason"])
    setting("overfitting", "proved", 0, method="F1")(tables)
    programs = tables["overfitting"].query("method in ['F1', 'F2', 'F3']")
    solved = (
        f"our method solves the programs, {2 * len(programs) // 3} of {len(programs)} to the proved optimum; "
    )
    assert str(row_of(tables, "programs-overfit")["reason"]).endswith(solved + others)


def test_a_solver_that_made_our_method_s_proof_is_named() -> None:
    tables = as_stated()
    assert " by " not in str(row_of(tables, "proved-optimal")["found"])
    frame = tables["table_3"]
    frame.loc[(frame["kind"] == "program") & (frame["dataset"] == "PRK"), "solver"] = "scip 10, open source"
    assert ", 4 by scip 10 on our strengthened program" in str(row_of(tables, "proved-optimal")["found"])


def test_a_difference_within_its_errors_is_inconclusive_and_a_larger_one_differs() -> None:
    tables = as_stated()
    everywhere("table_4", ACCURACY, 0.01, "F1")(tables)
    row = row_of(tables, "diversity-helps")
    assert (row["differing"], row["inconclusive"], row["doubt"]) == (9, 0, "")
    tables = as_stated()
    frame = tables["table_4"]
    up = frame["dataset"].map({"PRK": 0.03, "MSK": -0.03}).fillna(0.0) + 0.0005
    frame.loc[frame["method"] == "F1", ACCURACY] += up[frame["method"] == "F1"]
    row = row_of(tables, "diversity-helps")
    assert (row["differing"], row["inconclusive"]) == (0, 9)
    assert row["doubt"] == "the difference lies within two standard errors"


def test_counts_of_fewer_cases_are_compared_as_shares() -> None:
    fewer = {name: frame[frame["dataset"] != "APS"] for name, frame in as_stated().items()}
    row = row_of(fewer, "theta-wins")
    assert (row["differing"], row["inconclusive"]) == (0, 8)
    assert row["reason"].startswith("1 of 9 datasets not at hand")
    more = as_stated()
    adding("table_5", BALANCED, 0.01, "F1_theta")(more)
    row = row_of(more, "theta-wins")  # all 36
    assert (row["agreeing"], row["differing"]) == (0, 9)


def test_a_lead_the_claimed_way_within_its_errors_is_inconclusive() -> None:
    tables = as_stated()
    assert row_of(tables, "hill-climbing-ahead")["agreeing"] == 18
    adding("table_4", ACCURACY, 0.004, "F3", "PRK")(tables)
    adding("table_4", ACCURACY, -0.004, "F3", "MSK")(tables)
    row = row_of(tables, "hill-climbing-ahead")
    assert (row["agreeing"], row["differing"], row["inconclusive"]) == (0, 0, 18)
    assert row["doubt"] == "the difference lies within two standard errors"


def test_a_lead_that_the_paper_s_own_program_takes_back_is_inconclusive() -> None:
    tables = as_stated()
    frame, least = tables["table_3"], tables["table_4"].query("method != 'FE' and K == 100")[ACCURACY].min()
    plain = frame["kind"] == "plain"
    frame.loc[plain, ACCURACY] = least - 0.01
    row = row_of(tables, "hill-climbing-ahead")
    assert (row["agreeing"], row["inconclusive"]) == (18, 0)
    assert "with the paper's own program, on the votes of Table 3: HC-CON " in row["reason"]
    frame.loc[plain & (frame["method"] == "F3"), ACCURACY] += (
        0.1  # at the largest pool alone, far ahead of all
    )
    row = row_of(tables, "hill-climbing-ahead")
    assert (row["agreeing"], row["differing"], row["inconclusive"]) == (0, 0, 18)


def test_the_datasets_are_the_blocks_of_a_dispersion() -> None:
    few = {name: frame.query("fold in [13, 14]") for name, frame in as_stated().items() if name == "table_4"}
    few["table_4"] = few["table_4"].copy()
    assert row_of(few, "diversity-dispersion")["agreeing"] == 9
    frame = few["table_4"]
    one = frame["method"].isin(["F2", "F3"]) & (frame["dataset"] == "PRK")
    up = one & (frame["fold"] == 13)
    frame.loc[up, ACCURACY] += 0.3  # on a single dataset, far more than F1 is dispersed
    row = row_of(few, "diversity-dispersion")
    assert (row["agreeing"], row["differing"], row["inconclusive"]) == (0, 0, 9)
    many = as_stated()
    spreading("table_4", ACCURACY, 9, "F2", "F3")(many)
    row = row_of(many, "diversity-dispersion")
    assert (row["agreeing"], row["differing"], row["inconclusive"]) == (0, 9, 0)


def test_ties_with_a_benchmark_are_counted_beside_the_wins() -> None:
    tables = as_stated()
    frame = tables["table_5"]
    names = ["dataset", "K", "fold"]
    best = frame[frame["method"] == "HC-CON"].set_index(names)[BALANCED]
    tied = (frame["method"] == "F1_theta") & (frame["dataset"] == "MSK")
    frame.loc[tied, BALANCED] = best.reindex(frame.loc[tied].set_index(names).index).to_numpy()
    assert row_of(as_stated(), "theta-wins")["found"].startswith("22 of 36 cases, the paper 22 of 36")
    assert row_of(tables, "theta-wins")["found"].endswith("; ties: 4")


def test_the_best_mean_names_the_datasets_where_a_benchmark_is_ahead() -> None:
    assert "a benchmark is ahead on PRK, MSK, DRD" in row_of(as_stated(), "theta-best-mean")["reason"]


def test_single_folds_say_nothing_of_dispersion() -> None:
    tables = {name: frame[frame["fold"] == 0] for name, frame in as_stated().items() if name[-1] in "45"}
    found = verdicts(tables, "hill-climbing-dispersion", "diversity-dispersion", "theta-dispersion")
    assert set(found.values()) == {"not testable"}


def test_imbalanced_datasets_are_those_at_hand_of_three() -> None:
    tables = as_stated()
    tables["table_5"] = tables["table_5"].query("dataset != 'APS'")
    row = row_of(tables, "theta-imbalanced")
    assert (row["verdict"], row["agreeing"], row["stated"]) == ("reproduced where testable", 4, 6)
    assert row["found"] == "4 of 4 cases, 8 of 8 at all sizes"
    assert row["data"] == "2 of 3 datasets"
    tables["table_5"] = tables["table_5"].query("dataset not in ['DEF', 'BMK', 'MSK']")
    assert set(verdicts(tables, "theta-imbalanced", "theta-loses-MSK").values()) == {"not testable"}


def test_a_pfc_of_one_needs_no_common_failure_and_nothing_more() -> None:
    row = row_of({}, "pfc-of-one")
    assert "all are right on points 3 and 5, and no two are identical" in row["found"]
    same = errata.pfc_of_one({}, ("10", "01"))  # differ on all points, and no others are there
    assert (same.agreeing, same.differing) == (1, 1)


def test_nothing_recorded_is_not_testable() -> None:
    found = verdicts({})
    assert {found[name] for name in found.keys() - ON_PRINT.keys()} == {"not testable"}


def test_runs_without_a_method_are_not_testable() -> None:
    tables = as_stated()
    for name in ("table_4", "table_5", "table_6", "overfitting"):
        tables[name] = tables[name].query("method != 'FE'")
    row = row_of(tables, "full-last-accuracy")
    assert row["verdict"] == "not testable"
    assert "table_4 with all methods" in row["reason"]
    assert set(verdicts(tables, "/theta-best-mean", "/best-benchmarks").values()) == {"not testable"}


def test_no_verdict_of_the_ensemble_pruning_differs_from_the_recorded_one() -> None:
    kept = recorded(CHAPTER.name, "claims")
    if kept is None:
        pytest.skip("no verdicts are recorded yet (compactml claims --record --official)")
    changed = changed_verdicts(scorecard(CHAPTER.claims, claim_tables(CHAPTER)), kept)
    assert changed.empty, changed.to_string()


def test_statements_have_the_numbers_that_decide() -> None:
    statements = {one.id.split("/")[1]: one.statement for one in CHAPTER.claims}
    assert f"fewer than {findings.FEW_POINTS} validation points" in statements["proved-optimal"]
    assert f"at most {findings.MOST_LOST:.1%} of" in statements["diversity-costs-little"]
    assert findings.LEAST_CLOSED == 1 / 3
    assert "a third or more" in statements["branching-closes"]
    for claim, number in (("spread-accuracy", "spread_accuracy"), ("spread-rank", "spread_rank")):
        assert f" {stated(number)} " in statements[claim]
    for claim, number in (("f2-wins", "f2_wins"), ("theta-wins", "theta_wins")):
        assert f"in {stated(number):.0f} of {stated('cases'):.0f} cases" in statements[claim]
