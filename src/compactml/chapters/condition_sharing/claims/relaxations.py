"""Claims on what both relaxations cost and save, from the trials of Figs 4 and 5."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.claims.common import Tables, over
from compactml.chapters.condition_sharing.claims.panels import (
    NOISE,
    NOT_RUN,
    RANDOM_STARTS,
    RELAXED,
    UNDECIDED,
    ours_in,
    panels,
    whichever,
)
from compactml.chapters.condition_sharing.curves import PANEL
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.judging.noise import Outcome, lead_of

claim = partial(claim, NAME)


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
        because(lacking(len(by_dataset), RELAXED, NOT_RUN), ours_in(tables)),
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
        because(lacking(len(by_dataset), RELAXED, NOT_RUN), ours_in(tables)),
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
        lacking(seen, RELAXED, NOT_RUN),
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
        because(lacking(seen, RELAXED, NOT_RUN), "measured on one thread, beside other work"),
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
