"""The numbers of the third notebook: pricing, forms of separation, certificates, leaves, bounds, Fipe."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace import NAME, beyond, peers
from compactml.chapters.pace import separation as forms
from compactml.chapters.pace.figures import FORMS
from compactml.chapters.pace.trials.beyond import MOST_LEARNERS
from compactml.chapters.pace.trials.paper import FIPE, PACE, PRUNE
from compactml.pace.separation.alternating import FIRST_NODES
from compactml.pace.weights.pruning import EPSILON
from compactml.study.recording.recorded import recorded_provenance
from compactml.study.recording.results import Results

__all__ = ["bounds", "checks", "engines", "fipe", "fipepy", "leaves", "outside", "pricing", "pricing_sizes"]

MEANINGFUL = 15
"""Percent by which exact pricing is counted as lower."""
OF_L0 = (
    "cases", "certified", "ours", "both", "smaller", "equal", "larger", "median", "geometric", "least", "wrong",
    "ours_wrong",
)  # fmt: skip
OF_L1 = ("both", "smaller", "equal", "larger", "median", "wrong", "ours_wrong")
"""What the prose quotes of fipepy by norm."""


def pricing(results: Results) -> dict[str, int | float]:
    """Return on how many datasets exact pricing ends lower than CART, and by how much."""
    prices = beyond.pricing_table(results.rows("pricing"))
    lower = prices["lower by (%)"]
    return {
        "pace_priced_most": MOST_LEARNERS,
        "pace_priced": len(prices),
        "pace_priced_15": int((lower >= MEANINGFUL).sum()),
        "pace_priced_proved": int((prices["proved, exact"] > 0).sum()),
        "pace_priced_mean": float(lower.mean()),
    }


def pricing_sizes(results: Results) -> dict[str, int]:
    """Return whether a lower value of (P1) means fewer learners."""
    sizes = beyond.pricing_sizes(results.rows("pricing"))
    both = sizes[sizes["certified, cart"].eq(True) & sizes["certified, exact"].eq(True)]
    return {
        "pace_sizes": len(both),
        "pace_sizes_smaller": int((both["size, exact"] < both["size, cart"]).sum()),
        "pace_sizes_larger": int((both["size, exact"] > both["size, cart"]).sum()),
    }


def engines(results: Results) -> dict[str, int | float | str]:
    """Return how long the forms of separation take on the same weights, and whether they contradict each other."""
    rows, lacking = results.rows("engines"), float("nan")
    over_all, by_search = forms.engine_ratios(rows).iloc[-1], forms.engine_ratios(rows, "search").iloc[-1]
    n_open, n_answered = forms.left_open(rows, "objective")
    by_place = forms.place_ratios(rows).set_index(["weights", "ensemble"])
    objective = by_place.get(FORMS["objective"], pd.Series(lacking, by_place.index))
    to_find = objective[["first", "middle"]]
    return {
        "pace_ratio_objective": float(over_all.get(FORMS["objective"], lacking)),
        "pace_ratio_milp": float(over_all.get(FORMS["milp"], lacking)),
        "pace_ratio_search": float(1 / over_all.get(FORMS["search"], lacking)),
        "pace_ratio_search_objective": float(by_search.get(FORMS["objective"], lacking)),
        "pace_conflicts": forms.engine_conflicts(rows),
        "pace_place_least": float(to_find.min()),
        "pace_place_most": float(to_find.max()),
        "pace_place_forests": float(objective["last", "random forest"]),
        "pace_place_adaboost": float(objective["last", "AdaBoost"]),
        "pace_search_slower": forms.not_faster(rows, "search"),
        "pace_first_nodes": f"{FIRST_NODES:,}",
        "pace_engines_cases": int(over_all["cases"]),
        "pace_engines_left": n_open,
        "pace_engines_left_answered": n_answered,
    }


def checks(results: Results) -> dict[str, int | str]:
    """Return how many certificates were checked by predictions, and how often they failed."""
    checked = beyond.checks_table(results.rows("checks").dropna(subset="final_size"))
    certified, others = checked[checked["certified"] == "yes"], checked[checked["certified"] != "yes"]
    named = [
        f"{row['disagreements']:,} of {row['points']:,} ({row['dataset']})"
        for row in others.to_dict("records")
    ]
    return {
        "pace_checks": len(certified),
        "pace_checks_all": int((certified["all of the region"] == "yes").sum()),
        "pace_checks_points": int(certified["points"].sum()),
        "pace_checks_wrong": int(certified["disagreements"].sum()),
        "pace_checks_not": len(others),
        "pace_checks_not_wrong": ", ".join(named) or "none",
    }


def leaves(results: Results) -> dict[str, int]:
    """Return in how many cells of Table 1 Pace has fewer leaves than pruning alone."""
    sizes = beyond.leaves_table(results.rows("table_1"))
    smaller = sizes[f"leaves, {PACE}"] < sizes[f"leaves, {PRUNE}"]
    return {"pace_leaves": len(sizes), "pace_leaves_smaller": int(smaller.sum())}


def outside(results: Results) -> dict[str, float]:
    """Return the least agreement on all test rows, and the least share of them in the region."""
    agreement = beyond.agreement_table(results.rows("table_1"))
    least = agreement[agreement["dataset"] == beyond.LEAST]
    return {
        "pace_outside": float(least["agree on all"].sum(min_count=1)),
        "pace_share_least": float(least["in the region"].sum(min_count=1)),
    }


def bounds(results: Results) -> dict[str, int | float | str]:
    """Return how many certified sizes are proved to be smallest, and how far the others are from their bounds."""
    rows = beyond.bounded_rows(results)
    table = beyond.bounds_table(rows)
    small = table[table["size"] == "at most 4"]
    larger = rows.query("certified == 1 and final_size > lower_bound")
    of_pace = larger[larger["method"] == PACE]
    gaps = of_pace["final_size"] - of_pace["lower_bound"]
    return {
        "pace_least_margin": f"{EPSILON:g}",
        "pace_bounds": int(table["ensembles"].sum()),
        "pace_bounds_proved": int(table["proved"].sum()),
        "pace_bounds_small": int(small["ensembles"].sum()),
        "pace_bounds_small_proved": int(small["proved"].sum()),
        "pace_bounds_open": len(larger),
        "pace_bounds_of_pace": len(of_pace),
        "pace_bounds_gap": float(gaps.median()),
        "pace_bounds_most": float(gaps.max()),
    }


def fipe(results: Results) -> dict[str, int | float | str]:
    """Return how pruning compares with our Fipe on the whole space."""
    rows = results.rows("fipe")
    table = beyond.fipe_table(rows)
    sizes = table[[f"size, {PRUNE}", f"size, {FIPE}"]]
    slowest = table.dropna(subset="times as fast").nlargest(1, "times as fast")
    keys = ["dataset", "ensemble", "seed"]
    proved = rows.pivot_table(index=keys, columns="method", values="certified").reindex(columns=[PRUNE, FIPE])
    unproved = proved[(proved[PRUNE] == 1) & (proved[FIPE] != 1)].reset_index()
    return {
        "pace_peer": len(sizes.dropna()),
        "pace_peer_same": int((sizes[f"size, {PRUNE}"] <= sizes[f"size, {FIPE}"]).sum()),
        "pace_peer_faster": float(table["times as fast"].median()),
        "pace_peer_most": float(slowest["times as fast"].max()),
        "pace_peer_slowest": ", ".join(
            f"{row['dataset']}, {row['ensemble']}" for row in slowest.to_dict("records")
        )
        or "none",
        "pace_peer_unproved": len(unproved),
        "pace_peer_unproved_where": ", ".join(dict.fromkeys(unproved["dataset"])) or "none",
    }


def fipepy(results: Results) -> dict[str, int | float]:
    """Return how pruning compares with the published code of Fipe."""
    cases = peers.peers_cases()
    of_l0, of_l1 = (peers.peers_numbers(cases, norm) for norm in ("l0", "l1"))
    provenance = recorded_provenance(NAME, "fipepy") or {"partial": []}
    return {
        **{f"pace_fipepy_l0_{name}": of_l0[name] for name in OF_L0},
        **{f"pace_fipepy_l1_{name}": of_l1[name] for name in OF_L1},
        "pace_fipepy_datasets": cases["dataset"].nunique(),
        "pace_fipepy_refused": int((cases["fipepy"] == peers.REFUSED).sum()),
        "pace_fipepy_lacking": len(provenance["partial"]),
    }
