"""Claims on the curves of Fig 4 and the points of Fig 5, which Section 6.2.3 compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.claims.common import ROW_ORDER, Tables, over
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
from compactml.chapters.condition_sharing.curves import (
    ACCURACIES,
    curve_score,
    mean_points,
    pareto,
)
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.judging.noise import Outcome, every, lead_of

claim = partial(claim, NAME)

BY_EYE = "the paper compares curves by eye, and we by a score of our own"
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
        because(lacking(len(outcomes), RELAXED, NOT_RUN), *reasons),
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
        because(lacking(seen, RELAXED, NOT_RUN), ours_in(tables)),
        doubt=UNDECIDED,
        coverage=over(seen, RELAXED),
    )
