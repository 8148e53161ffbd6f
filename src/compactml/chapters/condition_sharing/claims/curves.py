"""Claims on the curves of Figs 4 and 5, of which Section 6.2.3 speaks.

The paper does not name the learner of these figures, nor how its k-means starts and weighs thresholds. A statement
agrees if it is so with every learner and both forms of k-means from random starts, differs if it is so with none, and
is *inconclusive* otherwise: then the missing name decides. Our search and the optimal k-means decide nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.claims.common import ROW_ORDER, Tables, over
from compactml.chapters.condition_sharing.curves import (
    ACCURACIES,
    PANEL,
    curve_score,
    fold_points,
    mean_points,
    pareto,
)
from compactml.chapters.condition_sharing.datasets import DATASETS, SMALL
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.judging.noise import Outcome, every, lead_of

claim = partial(claim, NAME)

BY_EYE = "the paper compares curves by eye, and we by a score of our own"
NOISE = "the rule for noise"
UNDECIDED = "it lies within two standard errors, or is otherwise with another learner (the paper names none)"
RANDOM_STARTS = ("Lloyd", "Lloyd, once")
"""The forms of k-means that the paper may have run."""
RELAXED = sum(dataset.n <= SMALL for dataset in DATASETS)
"""Number of datasets of Figs 4 and 5."""
SIMILAR = float(np.log(1.2))
"""Largest difference of two scores that count as similar."""
Expected = Mapping[str, str]
AGAINST_SIGMA: Expected = {"blood": "sigma", "epileptic seizure": "sigma", "else": "c"}
AGAINST_K_MEANS: Expected = {
    **dict.fromkeys(("parkinsons", "RNA-Seq PANCAN", "robot", "musk"), "c"),
    **dict.fromkeys(("blood", "epileptic seizure", "airfoil"), "k-means"),
    "else": "similar",
}
"""Which method the paper finds better, by dataset."""


def whichever(outcomes: Iterable[Outcome]) -> Outcome:
    """Return what holds of a statement for every setting that the paper may have had."""
    seen = set(outcomes)
    return seen.pop() if len(seen) == 1 else Outcome.INCONCLUSIVE


def stated_order(panel: pd.DataFrame, other: str, expected: str, tie: float) -> Outcome:
    """Whether the c curve is better than another one, worse or similar, as expected, by its gains in the folds.

    Where neither has a point of accuracy ratio 0.95 or more, nothing is decided.
    """
    if not _drawn(panel, other):
        return Outcome.INCONCLUSIVE
    gains = np.array(
        [curve_score(fold, other) - curve_score(fold, "c") for _, fold in panel.groupby("fold", sort=False)]
    )
    ahead, behind = lead_of(gains), lead_of(-gains)
    if expected == "similar":
        return every([ahead.above(-tie), behind.above(-tie)])
    return (ahead if expected == "c" else behind).above(tie)


def _drawn(panel: pd.DataFrame, other: str) -> bool:
    """Whether one of two curves has a point of sufficient accuracy."""
    return bool((panel["method"].isin(["c", other]) & (panel["AR"] >= ACCURACIES[0])).any())


def panels(tables: Tables) -> dict[str, dict[str, pd.DataFrame]]:
    """Return the points of every fold with their ratios, by dataset and learner."""
    found: dict[str, dict[str, pd.DataFrame]] = {}
    for (dataset, learner), panel in fold_points(tables["fig_4"]).groupby(PANEL, sort=False):
        found.setdefault(str(dataset), {})[str(learner)] = panel
    return found


def ours_in(tables: Tables) -> str:
    """Say on which datasets our search decided a part of the nodes, as a reason."""
    points = tables["fig_4"].query("method == 'c' and printed < 1")
    names = ", ".join(dict.fromkeys(points["dataset"]))
    return f"our search decided some features on {names}" if names else ""


def on_every_dataset(
    tables: Tables, of_panel: Callable[[str, pd.DataFrame], Outcome], *reasons: str, inferred: str = ""
) -> Evidence:
    """Evidence of a statement on every dataset, from what each learner's panel says of it."""
    outcomes = {
        dataset: whichever(of_panel(dataset, panel) for panel in learners.values())
        for dataset, learners in panels(tables).items()
    }
    named = {
        outcome: ", ".join(name for name, said in outcomes.items() if said is outcome) for outcome in Outcome
    }
    agreeing = sum(said is Outcome.AGREES for said in outcomes.values())
    return Evidence.of_outcomes(
        outcomes.values(),
        f"as stated on {agreeing} of {len(outcomes)} datasets, whichever the learner"
        + "".join(
            f"; {words}: {named[outcome]}"
            for outcome, words in ((Outcome.DIFFERS, "otherwise"), (Outcome.INCONCLUSIVE, "not decided"))
            if named[outcome]
        ),
        because(lacking(len(outcomes), RELAXED), *reasons),
        stated=RELAXED,
        doubt=UNDECIDED,
        inferred=inferred,
        coverage=over(len(outcomes), RELAXED),
    )


def lost_orders(dataset_names: Iterable[str]) -> list[str]:
    """Return the reasons of the datasets whose row order is lost."""
    return [f"{name}: {ROW_ORDER[name]}" for name in dataset_names if name in ROW_ORDER]


@claim("c-beats-sigma", "Section 6.2.3", tolerance="mean log size ratio, paired by fold", why=BY_EYE)
def beats_exceptional_samples(tables: Tables) -> Evidence:
    """Exceptional intervals beat exceptional samples but on blood and epileptic seizure.

    In size at equal accuracy.
    """

    def of_panel(dataset: str, panel: pd.DataFrame) -> Outcome:
        return stated_order(panel, "sigma", AGAINST_SIGMA.get(dataset, AGAINST_SIGMA["else"]), 0.0)

    return on_every_dataset(
        tables, of_panel, ours_in(tables), *lost_orders(tables["fig_4"]["dataset"].unique()), inferred=BY_EYE
    )


@claim("c-against-k-means", "Section 6.2.3", tolerance="within 20 % is similar, paired by fold", why=BY_EYE)
def against_k_means(tables: Tables) -> Evidence:
    """Exceptional intervals against k-means: better on 4, worse on 3, similar on 7 datasets."""

    def of_panel(dataset: str, panel: pd.DataFrame) -> Outcome:
        expected = AGAINST_K_MEANS.get(dataset, AGAINST_K_MEANS["else"])
        return whichever(stated_order(panel, form, expected, SIMILAR) for form in RANDOM_STARTS)

    return on_every_dataset(
        tables,
        of_panel,
        ours_in(tables),
        "how k-means starts and weighs thresholds is not stated",
        *lost_orders(tables["fig_4"]["dataset"].unique()),
        inferred=BY_EYE,
    )


def fit_to_prose(points: pd.DataFrame) -> pd.DataFrame:
    """Count by hand, for every learner and form of k-means, the datasets on which the curves lie as Section 6.2.3 says.

    Curves are those of the figure, of means over the folds. Where neither curve has a point of accuracy ratio 0.95 or
    more nothing is counted.

    Returns
    -------
    DataFrame
        ``learner``, ``against``, ``as stated``, ``datasets``.
    """
    means = mean_points(points)
    rows = []
    for learner, curves in means.groupby("learner", sort=False):
        for other, expected, tie in (
            ("sigma", AGAINST_SIGMA, 0.0),
            *((form, AGAINST_K_MEANS, SIMILAR) for form in RANDOM_STARTS),
        ):
            outcomes = [
                _winner(panel, other, tie) == expected.get(str(dataset), expected["else"])
                for dataset, panel in curves.groupby("dataset", sort=False)
                if _drawn(panel, other)
            ]
            rows.append(
                {"learner": learner, "against": other, "as stated": sum(outcomes), "datasets": len(outcomes)}
            )
    return pd.DataFrame(rows, columns=["learner", "against", "as stated", "datasets"])


def _winner(panel: pd.DataFrame, other: str, tie: float) -> str:
    gain = curve_score(panel, other) - curve_score(panel, "c")
    if abs(gain) <= tie:
        return "similar"
    return "c" if gain > 0 else "sigma" if other == "sigma" else "k-means"


@claim("pareto", "Section 6.2.3", tolerance="points of Fig 5, paired by dataset", why=NOISE)
def more_pareto_points(tables: Tables) -> Evidence:
    """Exceptional intervals give more high-accuracy Pareto points than k-means.

    Of an accuracy ratio above 0.95, over the datasets as blocks.
    """
    points = mean_points(tables["fig_4"])
    outcomes, counted = [], []
    for learner, curves in points.groupby("learner", sort=False):
        for form in RANDOM_STARTS:
            chosen = pareto(curves[curves["method"].isin(["original", "sharing", "sigma", "c", form])])
            counts = chosen.groupby(["dataset", "method"]).size().unstack(fill_value=0)  # noqa: PD010, counts
            both = counts.reindex(index=curves["dataset"].unique(), columns=["c", form], fill_value=0)
            outcomes.append(lead_of(both["c"] - both[form]).outcome)
            accurate = chosen[chosen["AR"] >= 1]["method"]
            counted.append(
                f"{learner}, {form}: {both['c'].sum()} against {both[form].sum()}"
                f" ({(accurate == 'c').sum()} against {(accurate == form).sum()} with AR >= 1)"
            )
    seen = points["dataset"].nunique()
    return Evidence.of_outcomes(
        [whichever(outcomes)],
        "; ".join(counted),
        because(lacking(seen, RELAXED), ours_in(tables)),
        doubt=UNDECIDED,
        coverage=over(seen, RELAXED),
    )


@claim(
    "samples-cost-accuracy", "Section 6.2.3", tolerance="accuracy ratio at equal shares, by fold", why=NOISE
)
def samples_cost_more_accuracy(tables: Tables) -> Evidence:
    """On most datasets more exceptional samples cost more accuracy than more exceptional intervals.

    Means of the accuracy ratios over the shares from 10 to 50 %.
    """

    def cheaper(panel: pd.DataFrame) -> Outcome:
        ratios = panel.pivot_table(index="fold", columns="method", values="AR", aggfunc="mean")
        return lead_of(ratios["c"] - ratios["sigma"]).outcome

    by_dataset = {
        dataset: whichever(cheaper(panel) for panel in learners.values())
        for dataset, learners in panels(tables).items()
    }
    so, not_so = (
        sum(said is outcome for said in by_dataset.values()) for outcome in (Outcome.AGREES, Outcome.DIFFERS)
    )
    most = (
        Outcome.AGREES
        if 2 * so > RELAXED
        else Outcome.DIFFERS
        if 2 * not_so >= RELAXED
        else Outcome.INCONCLUSIVE
    )
    return Evidence.of_outcomes(
        [most],
        f"so on {so} of {len(by_dataset)} datasets, the other way on {not_so}, whichever the learner",
        because(lacking(len(by_dataset), RELAXED), ours_in(tables)),
        doubt=UNDECIDED,
        coverage=over(len(by_dataset), RELAXED),
    )


@claim("loosening", "Section 7", tolerance="accuracy ratio, by fold", why=NOISE)
def loosening_is_free_somewhere(tables: Tables) -> Evidence:
    """On some datasets looser constraints save further conditions at no cost of accuracy.

    On two or more, some share of either relaxation has fewer conditions than plain sharing, and an accuracy that is
    not below the original's.
    """

    def free(panel: pd.DataFrame) -> Outcome:
        plain = panel[panel["method"] == "sharing"].set_index("fold")["NDC"]
        outcomes = {Outcome.DIFFERS}
        for _, point in panel[panel["method"].isin(["c", "sigma"])].groupby(["method", "level"]):
            if (point.set_index("fold")["NDC"] < plain).all():
                outcomes.add(lead_of(point["AR"] - 1).above(0.0))
        return next(one for one in (Outcome.AGREES, Outcome.INCONCLUSIVE, Outcome.DIFFERS) if one in outcomes)

    by_dataset = {
        dataset: whichever(free(panel) for panel in learners.values())
        for dataset, learners in panels(tables).items()
    }
    so = [name for name, said in by_dataset.items() if said is Outcome.AGREES]
    open_ = sum(said is Outcome.INCONCLUSIVE for said in by_dataset.values())
    some = Outcome.AGREES if len(so) > 1 else Outcome.INCONCLUSIVE if len(so) + open_ > 1 else Outcome.DIFFERS
    return Evidence.of_outcomes(
        [some],
        f"so on {len(so)} of {len(by_dataset)} datasets, whichever the learner"
        + (f": {', '.join(so)}" if so else ""),
        because(lacking(len(by_dataset), RELAXED), ours_in(tables)),
        doubt=UNDECIDED,
        coverage=over(len(by_dataset), RELAXED),
    )


@claim("sizes-shrink", "Section 6.2.3", tolerance="exact", why="counts of conditions")
def sizes_shrink(tables: Tables) -> Evidence:
    """More exceptions leave fewer conditions, and so do fewer clusters.

    Never more, from each share or number of clusters to the next.
    """
    points = tables["fig_4"]
    steps = []
    for method, sign in (("sigma", -1), ("c", -1), *((form, 1) for form in RANDOM_STARTS)):
        curve = points[points["method"] == method].sort_values("level")
        steps.append(sign * curve.groupby([*PANEL, "fold"], sort=False)["NDC"].diff().dropna() >= 0)
    right = pd.concat(steps)
    seen = points["dataset"].nunique()
    return Evidence.of_statement(
        bool(right.all()),
        f"{right.sum()} of {len(right)} steps",
        lacking(seen, RELAXED),
        by_construction="a minimum over more choices, and at most k thresholds a feature",
        coverage=over(seen, RELAXED),
    )


@claim("intervals-cost-more", "Section 6.2.3", tolerance="time and memory, paired by fold", why=NOISE)
def intervals_cost_more(tables: Tables) -> Evidence:
    """Exceptional intervals need more time and more memory than exceptional samples.

    On each dataset, all shares together. Where our search took a part, which is faster, less time refutes nothing.
    """
    costs = tables["relaxation_cost"]
    outcomes, ranges = [], []
    for measure, unit in (("seconds", "times as long"), ("peak_mib", "MiB more")):
        so = 0
        for _, learners in costs.groupby("dataset", sort=False):
            said = whichever(_dearer(folds, measure) for _, folds in learners.groupby("learner"))
            so += said is Outcome.AGREES
            outcomes.append(said)
        ratio = costs["c_seconds"] / costs["sigma_seconds"]
        rise = costs["c_peak_mib"] - costs["sigma_peak_mib"]
        shown = ratio if measure == "seconds" else rise
        ranges.append(
            f"{so} of {costs['dataset'].nunique()} datasets, {shown.min():,.1f} to {shown.max():,.1f} {unit}"
        )
    seen = costs["dataset"].nunique()
    return Evidence.of_outcomes(
        outcomes,
        "; ".join(ranges),
        because(lacking(seen, RELAXED), "measured on one thread, beside other work"),
        stated=2 * RELAXED,
        doubt=UNDECIDED,
        coverage=over(seen, RELAXED),
    )


def _dearer(folds: pd.DataFrame, measure: str) -> Outcome:
    """Whether exceptional intervals cost more, by the folds of one learner."""
    ours, theirs = folds[f"c_{measure}"], folds[f"sigma_{measure}"]
    gains = np.log(ours / theirs) if measure == "seconds" else ours - theirs
    said = lead_of(gains).outcome
    return Outcome.INCONCLUSIVE if said is Outcome.DIFFERS and (folds["printed"] < 1).any() else said
