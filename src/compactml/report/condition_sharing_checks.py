"""Checks of the quantitative statements of Nakamura and Sakurada (2022) on recorded results.

Every check takes the tables as a mapping: "table_2", "table_3" (dataset, learner, measure, value, ties) and "fig_4"
(points). Where data are not at hand, medians and counts are taken over the datasets that are, for print and for us
alike.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.condition_sharing import minimum_intersecting_set
from compactml.condition_sharing.errata import DEFECTS, PrintedAlgorithmError, as_printed
from compactml.experiments.condition_sharing import CHAPTER
from compactml.report.claims import Evidence, Verdict
from compactml.report.comparison import same_digits
from compactml.report.condition_sharing_frames import CELL, curve_score, pareto
from compactml.report.published import published

Tables = Mapping[str, pd.DataFrame]


def values(table: pd.DataFrame, learner: str, measure: str) -> pd.Series:
    """One measure of one learner by dataset."""
    chosen = table[(table["learner"] == learner) & (table["measure"] == measure)]
    return chosen.set_index("dataset")["value"].astype(float)


def cells(tables: Tables, table: str, learner: str) -> Evidence:
    """Every printed cell of one learner, at the digits printed; the older scikit-learn counts where it was run."""
    printed = published(CHAPTER, table).set_index(CELL)["value"]
    same = _agreeing(tables[table], printed, learner)
    older = _agreeing(tables.get(f"{table}_older", tables[table].head(0)), printed, learner)
    either = same | older.reindex(same.index, fill_value=False)
    total = int((printed.index.get_level_values("learner") == learner).sum())
    rest = ", ".join(sorted({f"{name} {measure}" for name, _, measure in same.index[~either]}))
    verdict = Verdict.HOLDS if either.all() else Verdict.IN_PART if either.any() else Verdict.DOES_NOT_HOLD
    found = f"{same.sum()} of {len(same)} cells in every digit, {either.sum()} counting scikit-learn 1.1"
    return Evidence(
        verdict,
        found,
        f"{total - len(same)} cells lack their data" + (f"; differing: {rest}" if rest else ""),
    )


def _agreeing(own: pd.DataFrame, printed: pd.Series, learner: str) -> pd.Series:
    """Whether each of our cells of a learner shows the printed digits."""
    values = own[own["learner"] == learner].set_index(CELL)["value"]
    pairs = zip(values, printed.reindex(values.index), strict=True)
    return pd.Series([same_digits(value, text) for value, text in pairs], index=values.index).astype(bool)


def median_ratio(
    tables: Tables, table: str, learner: str, measure: str, stated: float, within: float
) -> Evidence:
    """A median stated for 21 datasets: print must give it, and ours must agree with print on those at hand."""
    own = values(tables[table], learner, measure)
    printed = values(published(CHAPTER, table), learner, measure)
    on_same = printed[own.index]
    agrees = abs(own.median() - on_same.median()) <= within and abs(printed.median() - stated) <= within
    fitting = Verdict.HOLDS if len(own) == len(printed) else Verdict.IN_PART
    return Evidence(
        fitting if agrees else Verdict.DOES_NOT_HOLD,
        f"{own.median():.1%} over our {len(own)} datasets, print {on_same.median():.1%} over the same",
        f"stated over {len(printed)} datasets, of which {len(printed) - len(own)} are not at hand",
    )


def accuracy_kept(
    tables: Tables, table: str, measure: str, within: float, learners: tuple[str, ...]
) -> Evidence:
    """Accuracy ratios of at least 1 - within; exceptions are named."""
    own = tables[table]
    chosen = own[(own["measure"] == measure) & own["learner"].isin(learners)]
    low = chosen[chosen["value"] < 1 - within]
    named = ", ".join(f"{row.dataset} {row.learner} {row.value:.5f}" for row in low.itertuples())
    return Evidence(
        Verdict.HOLDS if low.empty else Verdict.IN_PART,
        f"{len(chosen) - len(low)} of {len(chosen)} ratios at least {1 - within:.2f}",
        f"below: {named}" if named else "",
    )


def degradation(tables: Tables) -> Evidence:
    """All AR of Table 2 at least 0.99 but for parkinsons with ERT."""
    own = tables["table_2"]
    low = own[(own["measure"] == "AR") & (own["value"] < 0.99)]
    pairs = set(zip(low["dataset"], low["learner"], strict=True))
    named = ", ".join(f"{row.dataset} {row.learner} {row.value:.5f}" for row in low.itertuples())
    return Evidence(
        Verdict.HOLDS if pairs == {("parkinsons", "ERT")} else Verdict.DOES_NOT_HOLD,
        f"below 0.99: {named or 'none'}",
        "datasets at hand only",
    )


def learner_order(tables: Tables) -> Evidence:
    """Sharing helps extra trees most, then random forests, then the boosters."""
    medians = {
        learner: values(tables["table_2"], learner, "SR").median()
        for learner in ("ERT", "RF", "ABoost", "GBoost")
    }
    ordered = list(medians.values()) == sorted(medians.values())
    found = ", ".join(f"{learner} {value:.1%}" for learner, value in medians.items())
    return Evidence(
        Verdict.HOLDS if ordered else Verdict.DOES_NOT_HOLD, f"median SR {found}", "datasets at hand only"
    )


def mostly_small(tables: Tables) -> Evidence:
    """Most size ratios of extra trees are within 10 %."""
    ratios = values(tables["table_2"], "ERT", "SR")
    share = float((ratios <= 0.1).mean())
    return Evidence(
        Verdict.HOLDS if share > 0.5 else Verdict.DOES_NOT_HOLD,
        f"{int((ratios <= 0.1).sum())} of {len(ratios)} at most 10 %",
        "datasets at hand only",
    )


def curve_comparison(
    tables: Tables, learner: str, other: str, expected: dict[str, str], tie: float
) -> Evidence:
    """The c curve against another one, dataset by dataset; "c", the other's name or "similar" is expected."""
    points = tables["fig_4"]
    points = points[points["learner"] == learner]
    outcome = {}
    for dataset, group in points.groupby("dataset", sort=False):
        gain = curve_score(group, other) - curve_score(group, "c")
        outcome[dataset] = "similar" if abs(gain) <= tie else "c" if gain > 0 else other
    agreeing = [
        name for name, winner in outcome.items() if winner == expected.get(str(name), expected["else"])
    ]
    differing = [f"{name} ({winner})" for name, winner in outcome.items() if name not in agreeing]
    share = len(agreeing) / max(len(outcome), 1)
    verdict = Verdict.HOLDS if share == 1 else Verdict.IN_PART if share >= 0.5 else Verdict.DOES_NOT_HOLD
    found = f"as stated on {len(agreeing)} of {len(outcome)} datasets with {learner}"
    return Evidence(
        verdict,
        found + (f"; otherwise: {', '.join(differing)}" if differing else ""),
        "learner not named in the paper",
    )


def pareto_counts(tables: Tables, learner: str) -> Evidence:
    """Exceptions in intervals give more Pareto-optimal predictors of high accuracy than k-means."""
    points = tables["fig_4"]
    chosen = pareto(points[points["learner"] == learner])
    counts = chosen[chosen["AR"] >= 1]["method"].value_counts()
    c, k = int(counts.get("c", 0)), int(counts.get("k-means", 0))
    everything = chosen["method"].value_counts()
    return Evidence(
        Verdict.HOLDS if c > k else Verdict.DOES_NOT_HOLD,
        f"with AR >= 1: {c} against {k}; AR > 0.95: {everything.get('c', 0)} against {everything.get('k-means', 0)}",
        f"{learner}; learner not named in the paper",
    )


def printed_algorithm(tables: Tables) -> Evidence:
    """Algorithms 3 and 4 carried out as printed on four intervals, against the minimum."""
    lower, upper = [0.0, 0.0, 2.0, 4.0], [1.0, 5.0, 3.0, 5.0]
    best = minimum_intersecting_set(lower, upper)[0].tolist()
    mended = as_printed(lower, upper, 0, mended=frozenset(DEFECTS))
    try:
        points = as_printed(lower, upper, 0)
    except PrintedAlgorithmError as error:
        return Evidence(
            Verdict.DOES_NOT_HOLD,
            str(error),
            f"printing errors, not the method: with {len(DEFECTS)} of them mended it gives {mended} for {best}",
        )
    verdict = Verdict.HOLDS if points == best else Verdict.DOES_NOT_HOLD
    return Evidence(verdict, f"points {points} for {best}", "one example")


def table_1_sizes(tables: Tables) -> Evidence:
    """Rows and features of the datasets as read here, against Table 1."""
    sizes = tables["table_1"]
    at_hand = sizes[sizes["n_here"].notna()]
    same = (at_hand["n_here"] == at_hand["n"]) & (at_hand["d_here"] == at_hand["d"])
    return Evidence(
        Verdict.HOLDS if same.all() else Verdict.IN_PART,
        f"{int(same.sum())} of {len(at_hand)} datasets at hand have the printed size",
        f"{len(sizes) - len(at_hand)} not at hand",
    )


def size_ratio(tables: Tables, dataset: str, learner: str, stated: float, within: float) -> Evidence:
    """A size ratio of Table 2 that the prose names."""
    own = values(tables["table_2"], learner, "SR")
    if dataset not in own.index:
        return Evidence(Verdict.NOT_TESTABLE, "", f"{dataset} is not recorded: its data are not at hand")
    verdict = Verdict.HOLDS if abs(own[dataset] - stated) <= within else Verdict.DOES_NOT_HOLD
    return Evidence(verdict, f"{own[dataset]:.1%}")
