"""The numbers of the prose: each function returns those of a section, by the names under which notebooks quote them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME, fold_trials, protocol
from compactml.chapters.boolean_rules.claims.common import printed_names
from compactml.chapters.boolean_rules.datasets import LARGE, PARTITION, PRINTED, SMALL
from compactml.chapters.boolean_rules.rows import TIMED, beside_search, exponent, late
from compactml.chapters.boolean_rules.trials.engines import OURS as SEARCH
from compactml.chapters.boolean_rules.trials.paper import OURS
from compactml.chapters.boolean_rules.trials.synthetic_rows import COMPLEXITY, LEARNING_SIZE
from compactml.study.profile import Profile
from compactml.study.recording.published import published
from compactml.study.recording.recorded import recorded
from compactml.study.recording.results import Results
from compactml.study.trial import Trial

__all__ = [
    "engines", "fico", "gaps", "growth", "growth_runs", "large_proofs", "nested", "optima", "progress",
    "progress_of_rivals", "small_proofs", "small_sets", "toolkit", "toolkit_runs", "trade_off",
]  # fmt: skip

WITHOUT_DATA = "gas_drift"


def trade_off(results: Results) -> dict[str, float]:
    """Return folds and limits of the recorded run of Fig 1."""
    parts = protocol.TRADE_OFF[Profile.STANDARD]
    return {
        "rules_fig_folds": parts[SMALL].folds,
        "rules_fig_limit_small": parts[SMALL].time_limit,
        "rules_fig_limit_large": parts[LARGE].time_limit,
    }


def nested(results: Results) -> dict[str, float | str]:
    """Return folds, limits and values of C of column generation in Tables 1 and 2: the paper's, ours, our older run."""
    of_paper, ours = (plan[Profile.STANDARD] for plan in (protocol.PAPER_CG, protocol.OUR_CG))
    older = protocol.NESTED[Profile.STANDARD]
    return {
        "rules_older_small": older[SMALL].folds,
        "rules_older_large": older[LARGE].folds,
        "rules_older_grid_small": max(older[SMALL].grids[OURS]),
        "rules_older_grid_large": max(older[LARGE].grids[OURS]),
        "rules_paper_folds": of_paper[SMALL].folds,
        "rules_paper_small": of_paper[SMALL].time_limit,
        "rules_paper_large": of_paper[LARGE].time_limit,
        "rules_paper_values": len(of_paper[SMALL].grid),
        "rules_our_small": ours[SMALL].time_limit,
        "rules_our_large": ours[LARGE].time_limit,
        "rules_grid_small": max(ours[SMALL].grid),
        "rules_grid_large": max(ours[LARGE].grid),
        "rules_shares": ", ".join(f"{100 * share:g}" for share in protocol.SHARES),
    }


def progress(results: Results) -> dict[str, str]:
    """Return of how many datasets the paper's procedure is recorded."""
    return {"rules_recorded_cg": _recorded_of("paper_cg", fold_trials.paper_cg)}


def progress_of_rivals(results: Results) -> dict[str, str]:
    """Return the same of RIPPER, trees and forests, and of BRS."""
    return {
        "rules_recorded_programs": _recorded_of("programs", fold_trials.programs),
        "rules_recorded_brs": _recorded_of("brs", fold_trials.port_of_brs),
    }


def _recorded_of(table: str, plan: Callable[[Profile], list[Trial]]) -> str:
    """Printed datasets of which a table is recorded, of those planned; the data of gas are not at hand."""
    planned = {trial.dataset for trial in plan(Profile.STANDARD)} & {one.key for one in PRINTED} - {
        WITHOUT_DATA
    }
    rows = recorded(NAME, table)
    return f"{0 if rows is None else printed_names(rows)['dataset'].nunique()} of {len(planned)}"


def gaps(results: Results) -> dict[str, float]:
    """Return the gap on transfusion in percent, as stated and by the paper's procedure, its time and its limit."""
    rows = results.recorded_or_build("paper_optima")
    stated = published(NAME, "statements").set_index("statement")["value"].astype(float)
    there = rows[(rows["dataset"] == "transfusion") & (rows["C"] == stated["transfusion_complexity"])]
    loss, bound = (first_value(there, "transfusion", column) for column in ("loss", "lp_bound"))
    return {
        "rules_gap_stated": float(stated["transfusion_gap"]),
        "rules_gap": 100 * (loss - bound) / loss,
        "rules_gap_seconds": first_value(there, "transfusion", "seconds"),
        "rules_gap_limit": protocol.PAPER_OPTIMUM_LIMIT,
    }


def fico(results: Results) -> dict[str, float | str]:
    """Return how good the printed FICO rule is on all rows, beside Table 1 and, by the loss, beside ours."""
    rows = results.rows("fico_rule").set_index("method")
    printed, ours = (rows["loss"].get(method, float("nan")) for method in ("printed", "CG"))
    cell = published(NAME, "table_1").query("dataset == 'FICO' and method == 'CG'").iloc[0]
    words = {-1.0: "better than", 0.0: "as good as", 1.0: "slightly worse than"}
    return {
        "rules_fico_compared": words.get(float(np.sign(printed - ours)), "beside"),
        "rules_fico_all_rows": 100 * float(rows["accuracy"].get("printed", float("nan"))),
        "rules_fico_new_rows": float(cell["value"]),
    }


def _small_problems(results: Results) -> pd.DataFrame:
    """The training problems of small sets that were tried."""
    tried = results.recorded("optima")
    return tried[tried["dataset"].map(PARTITION) == SMALL]


def small_sets(results: Results) -> dict[str, str]:
    """Return which training problems of small sets stay open."""
    tried = _small_problems(results)
    still_open = [f"{row.dataset} with C = {row.C}" for row in tried[tried["proved"] != 1].itertuples()]
    return {"rules_small_open": ", ".join(still_open) or "no problem"}


def small_proofs(results: Results) -> dict[str, float | str]:
    """Return on how many small sets a training problem is proved optimal, and in what time."""
    tried = _small_problems(results)
    solved = tried[tried["proved"] == 1]
    of = sum(part == SMALL for part in PARTITION.values())
    return {
        "rules_small_solved": f"{solved['dataset'].nunique()} of the {of}",
        "rules_small_seconds": float(solved["seconds"].max()),
    }


def optima(results: Results) -> dict[str, int | str]:
    """Return how many training problems are proved optimal, on how many datasets."""
    rows = results.rows("optima")
    proved = rows[rows["proved"] == 1]
    return {
        "rules_proved": f"{len(proved)} of {len(rows)}",
        "rules_proved_sets": len(set(PARTITION) & set(proved["dataset"])),
    }


def large_proofs(results: Results) -> dict[str, float]:
    """Return the limits of the training problems, and what the two largest took."""
    rows = results.recorded("optima")
    limit, gap = protocol.LONG_OPTIMA["bank_without_duration"]
    return {
        "rules_short_limit": protocol.OPTIMUM_LIMIT,
        "rules_long_limit": limit,
        "rules_long_gap": 100 * gap,
        "rules_adult_seconds": first_value(rows, "adult_training_file", "seconds"),
        "rules_bank_seconds": first_value(rows, "bank-mkt", "seconds"),
        "rules_bank_gap": 100 * first_value(rows, "bank-mkt", "gap"),
    }


def first_value(rows: pd.DataFrame, dataset: str, column: str) -> float:
    """Return the value of the first row of a dataset; missing where there is none."""
    values = rows.loc[rows["dataset"] == dataset, column]
    return float(values.iloc[0]) if len(values) else float("nan")


def engines(results: Results) -> dict[str, int | str]:
    """Return how many pricing problems HiGHS and CP-SAT finish, and how many times as long as ours they take."""
    rows = beside_search(results.rows("engines"))
    others = rows[rows["method"] != SEARCH]
    finished = others[others["finished"] == 1]
    solved = finished.groupby("method").size()
    least = finished[finished["seconds"] >= TIMED].groupby("method")["times slower"].min()
    return {
        "rules_engine_tasks": int((rows["method"] == SEARCH).sum()),
        "rules_highs_finished": int(solved.get("HiGHS", 0)),
        "rules_highs_least": _at_least(least.get("HiGHS")),
        "rules_cpsat_finished": int(solved.get("CP-SAT", 0)),
        "rules_cpsat_least": _at_least(least.get("CP-SAT")),
    }


def _at_least(factor: float | None) -> str:
    """A whole number that a factor is not below; "nan" for none."""
    return "nan" if factor is None else f"{int(factor):,}"


def toolkit(results: Results) -> dict[str, int]:
    """Return how our losses stand beside those of AIX360."""
    problems = _peer_problems(results.recorded("aix360"))
    ours, theirs = problems["our_loss"], problems["aix360_loss"]
    return {
        "rules_peer_problems": len(problems),
        "rules_peer_better": int((ours < theirs).sum()),
        "rules_peer_equal": int((ours == theirs).sum()),
        "rules_peer_worse": int((ours > theirs).sum()),
    }


def _peer_problems(runs: pd.DataFrame) -> pd.DataFrame:
    """A run for each different problem: two prices of AIX360 may lead to one complexity."""
    return runs.dropna(subset=["our_loss"]).drop_duplicates(["dataset", "complexity"])


def toolkit_runs(results: Results) -> dict[str, float]:
    """Return how our times stand beside those of AIX360, and our losses after a tenth of its time."""
    runs = results.recorded("aix360")
    pairs, problems = runs.dropna(subset=["our_loss"]), _peer_problems(runs)
    tenth = pairs.dropna(subset=["our_loss_in_tenth"])
    used = tenth["our_seconds_in_tenth"] / (tenth["aix360_seconds"] / 10)
    overran = late(tenth)
    behind = tenth["our_loss_in_tenth"] > tenth["aix360_loss"]
    longer = pairs[pairs["ratio"] < 1]
    return {
        "rules_peer_none": len(runs) - len(pairs),
        "rules_peer_pairs": len(pairs),
        "rules_peer_optimal": int((problems["our_loss"] == problems["our_bound"]).sum()),
        "rules_peer_ratio": float(pairs["ratio"].median()),
        "rules_peer_longer": len(longer),
        "rules_peer_longer_open": int((longer["our_loss"] > longer["our_bound"]).sum()),
        "rules_peer_longer_improved": int((longer["our_loss_in_tenth"] > longer["our_loss"]).sum()),
        "rules_peer_tenths": len(tenth),
        "rules_peer_tenth": int((~behind).sum()),
        "rules_peer_behind": int(behind.sum()),
        "rules_peer_overran": int(overran.sum()),
        "rules_peer_late_worse": int((overran & behind).sum()),
        "rules_peer_latest": float(used.max()),
    }


def growth(results: Results) -> dict[str, float | str]:
    """Return how the time of exact pricing grows with the rows, over the last step."""
    rows = results.rows("growth").sort_values("n").tail(2)
    return {
        "rules_growth_slope": exponent(rows["n"], rows["exact_3"]),
        "rules_growth_from": f"{rows['n'].min():,}",
        "rules_growth_n": f"{rows['n'].max():,}",
    }


def growth_runs(results: Results) -> dict[str, float | str]:
    """Return how learning was run on generated data, and how it ended on the most rows."""
    last = results.recorded("growth").sort_values("n").dropna(subset=["learn"]).tail(1)
    n, seconds, gap = last[["n", "learn", "gap"]].max()  # of one row; missing without one
    return {
        "rules_growth_c": COMPLEXITY,
        "rules_growth_d": LEARNING_SIZE,
        "rules_growth_limit": protocol.LEARNING_LIMIT,
        "rules_growth_learned": f"{n:,.0f}",
        "rules_growth_last": float(seconds),
        "rules_growth_gap": 100 * float(gap),
    }
