"""Claims that need no run, on what the printed numbers and formulas say: arithmetic, errata, and what we infer."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims.common import EXACT, NOT_SAID, ROUNDING
from compactml.chapters.ensemble_pruning.claims.orders import Tables, listed
from compactml.chapters.ensemble_pruning.printed import printed_means, printed_ranks, stated
from compactml.chapters.ensemble_pruning.rows import AVERAGE, BENCHMARKS
from compactml.ensemble_pruning._failure_credit import Diversity, failure_credit, pairwise_failure_crediting
from compactml.study.judging.claims import Basis
from compactml.study.judging.comparison import same_digits
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence
from compactml.study.recording.published import published

claim = partial(claim, NAME)

SHARE = 0.27
"""Of the points in the validation set."""
THETA_OF = "N1 / N is right: Table 2 prints both numbers"
SWAPPED = "the values of MSK and BCW are exchanged, and that of PRK is half of what it should be"
RANKS: dict[str, dict[str, object]] = {
    "table_4": {"table": "table_4", "n": 4, "what": "accuracy"},
    "table_6": {"table": "table_6", "n": 6, "what": "balanced accuracy"},
}
"""Tables of mean ranks."""


@claim(
    "rank-sums-{key}",
    "Table {n}",
    tolerance="0.005 for each method",
    why=ROUNDING,
    basis=Basis.ARITHMETIC,
    over=RANKS,
)
def rank_sums(tables: Tables, table: str) -> Evidence:
    """The mean ranks of {what} of k methods sum to k (k + 1) / 2 in each row."""
    ranks = printed_ranks(table).drop(index=AVERAGE)
    k = ranks.shape[1]
    off = ranks.sum(axis="columns") - k * (k + 1) / 2
    return Evidence.of_cells(off.abs() <= 0.005 * k + 1e-9, f"off by {listed(off.add_prefix('K = '), 2)}")


@claim("rank-averages-{key}", "Table {n}", tolerance="0.01", why=ROUNDING, basis=Basis.ARITHMETIC, over=RANKS)
def averages_of_ranks(tables: Tables, table: str) -> Evidence:
    """The last row of the mean ranks of {what} is the mean of the rows above."""
    ranks = printed_ranks(table)
    off = np.abs(ranks.drop(index=AVERAGE).mean().to_numpy() - ranks.loc[AVERAGE].to_numpy())
    return Evidence.of_cells(off <= 0.01 + 1e-9, f"off by {off.max():.4f} at most")


@claim(
    "spread-printed",
    "Section 5.4, Table 4",
    tolerance=EXACT,
    why="the printed digits",
    basis=Basis.ARITHMETIC,
)
def spread_of_printed_ranks(tables: Tables) -> Evidence:
    """Without the full ensemble, the printed mean ranks of accuracy lie 0.45 apart."""
    ranks = printed_ranks("table_4").drop(columns="FE")
    means = ranks.T[AVERAGE]
    width = float(means.max() - means.min())
    exact = ranks.drop(index=AVERAGE).mean().round(9)
    best = list(exact.index[exact == exact.min()])
    tie = f"to the printed digits {' and '.join(best)} are equally good: {exact.min():.3f}, the mean of the rows above"
    return Evidence.of_statement(
        abs(width - stated("spread_rank")) < 0.005,
        f"{listed(means, 2)}: {width:.2f}",
        tie if len(best) > 1 else "",
    )


@claim("most-balanced", "Section 5.5", tolerance=EXACT, why="arithmetic on Table 2", basis=Basis.ARITHMETIC)
def most_balanced(tables: Tables) -> Evidence:
    """MSK and DRD are the most balanced of the nine datasets, by their shares of positive points.

    Their shares are nearest to one half.
    """
    far = (imbalance()["computed"] - 0.5).abs().sort_values()
    return Evidence.of_statement(set(far.index[:2]) == {"MSK", "DRD"}, f"|theta - 1/2|: {listed(far, 3)}")


def imbalance() -> pd.DataFrame:
    """Table 2's theta, printed and computed from the printed numbers of points: by dataset."""
    frame = published(NAME, "table_2").set_index("dataset")
    return pd.DataFrame(
        {"printed": frame["theta"], "computed": frame["N1"].astype(int) / frame["N"].astype(int)}
    )


@claim("theta", "Table 2", tolerance=EXACT, why=ROUNDING, basis=Basis.ERRATUM)
def theta_printed(tables: Tables) -> Evidence:
    """The printed imbalance θ of each dataset is its share of positive points, N1 / N."""
    found = imbalance()
    right = [same_digits(*pair) for pair in zip(found["computed"], found["printed"], strict=True)]
    wrong = found[~np.array(right)]
    named = ", ".join(f"{name} {row['printed']} for {row['computed']:.3f}" for name, row in wrong.iterrows())
    return Evidence.of_cells(right, f"{sum(right)} of {len(right)} as printed; {named}", THETA_OF)


def validation_table() -> pd.DataFrame:
    """Table 3's "27 % of N" beside 0.27 N: by dataset, in the order of Table 3."""
    sizes = published(NAME, "table_2").set_index("dataset")["N"].astype(int)
    printed = published(NAME, "table_3").drop_duplicates("dataset").set_index("dataset")["n_27pct_printed"]
    return pd.DataFrame({"printed": printed.astype(int), "computed": SHARE * sizes[printed.index]})


@claim("validation", "Table 3", tolerance="rounded up or down", why=ROUNDING, basis=Basis.ERRATUM)
def validation_sizes(tables: Tables) -> Evidence:
    """The column "27 % of N" has the numbers of validation points of the nine datasets."""
    found = validation_table()
    right = (found["printed"] - found["computed"]).abs() < 1
    named = ", ".join(
        f"{name} {row['printed']:.0f} for {row['computed']:.1f}" for name, row in found[~right].iterrows()
    )
    return Evidence.of_cells(right, f"{right.sum()} of {len(right)} as printed; {named}", SWAPPED)


@claim(
    "theta-dispersion-print",
    "Section 5.5, Table 5",
    tolerance=EXACT,
    why="the printed digits",
    basis=Basis.ERRATUM,
)
def theta_dispersion(tables: Tables) -> Evidence:
    """In Table 5 the program for balanced accuracy has a smaller average deviation than F1 and than each benchmark.

    Each of them is a statement; the text has it that the deviation is the smallest.
    """
    deviations = printed_means("std").iloc[-1]
    others = deviations[["F1", *BENCHMARKS]]
    less = others[others <= deviations["F1_theta"]]
    reason = f"the smallest is that of {others.idxmin()}" if len(less) else ""
    return Evidence.of_cells(
        others > deviations["F1_theta"], f"average standard deviations {listed(deviations, 4)}", reason
    )


@claim(
    "printed-theta-dispersion-large",
    "Section 5.5, Table 5",
    tolerance=EXACT,
    why='ours: the prose says "especially for the larger (and more imbalanced) datasets"',
    basis=Basis.ERRATUM,
)
def theta_dispersion_where_large(
    tables: Tables, datasets: tuple[str, ...] = ("DEF", "BMK", "APS")
) -> Evidence:
    """Printed deviations of balanced accuracy: θ-weighted F1 has less than F1 and each benchmark on DEF, BMK and APS.

    Each of them, in each printed case, is a statement. The text has it less
    dispersed "especially for the larger (and more imbalanced) datasets": that these are the three, and that it is to be
    less than all others, is how we read it.
    """
    deviations = printed_means("std").loc[list(datasets)]
    others = deviations[["F1", *BENCHMARKS]]
    least = deviations["F1_theta"] < others.min(axis="columns")
    cases: list[tuple[str, str]] = deviations.index.to_list()
    rows = zip(
        cases,
        least,
        deviations["F1_theta"],
        others.idxmin(axis="columns"),
        others.min(axis="columns"),
        strict=True,
    )
    others_ahead = ", ".join(
        f"{name} at K = {size}: {method} {smallest:.4f}, the program {own:.4f}"
        for (name, size), agrees, own, method, smallest in rows
        if not agrees
    )
    never = [name for name in datasets if not any(least[[case[0] == name for case in cases]])]
    return Evidence.of_cells(
        others.gt(deviations["F1_theta"], axis="index").to_numpy().ravel(),
        f"least in {int(least.sum())} of {len(least)} cases; {others_ahead}",
        f"on {' and '.join(never)} it is so in no printed case" if never else "",
    )


@claim("constant", "Constraint (6)", tolerance=EXACT, why="a counterexample", basis=Basis.ERRATUM)
def big_constant(tables: Tables, n_classifiers: int = 10) -> Evidence:
    """The constant K of constraint (6) is large enough to allow every ensemble.

    Tried is an ensemble with L = K, on a point without any vote.
    """
    k = threshold = n_classifiers
    left, right = (threshold + 1) - 0, k * 1  # all negative, so t = 1
    found = (
        f"L = K = {k}, no positive vote, t = 1: {left} <= {right} is {'true' if left <= right else 'false'}"
    )
    return Evidence.of_statement(left <= right, found, "the constant must be K + 1, as in (2) and (3)")


COUNTER_EXAMPLE = ("11101", "01111", "10111")
"""Failure patterns of three classifiers, each with a PFC of 1."""


def pfc_table(patterns: tuple[str, ...] = COUNTER_EXAMPLE) -> pd.DataFrame:
    """Failure credits and PFC of some failure patterns, a row for each."""
    right = np.array([[letter == "1" for letter in pattern] for pattern in patterns]).T
    credit = failure_credit(right)
    table = pd.DataFrame(credit, index=list(patterns), columns=[f"FC with {pattern}" for pattern in patterns])
    table = table.mask(np.eye(len(patterns), dtype=bool)).assign(
        PFC=pairwise_failure_crediting(credit, np.arange(len(patterns)))
    )
    return table.rename_axis("failure pattern").reset_index()


@claim("pfc-of-one", "Section 4", tolerance=EXACT, why="a counterexample", basis=Basis.ERRATUM)
def pfc_of_one(tables: Tables, patterns: tuple[str, ...] = COUNTER_EXAMPLE) -> Evidence:
    """A diversity (PFC) of 1 means: different from every other classifier on all points, the others identical."""
    right = np.array([[letter == "1" for letter in pattern] for pattern in patterns]).T
    K = len(patterns)
    pfc = pairwise_failure_crediting(failure_credit(right), np.arange(K))
    same = [right[:, k] == right[:, other] for k in range(K) for other in range(k)]
    extreme = bool((pfc == 1).all())
    apart, identical = not any(pair.any() for pair in same), any(pair.all() for pair in same)
    agreed = " and ".join(str(point + 1) for point in np.flatnonzero(np.all(same, axis=0)))
    return Evidence.of_cells(
        [apart or not extreme, identical or not extreme],
        f"failure patterns {', '.join(patterns)}: PFC is {listed(pd.Series(pfc, index=patterns), 0)}; "
        f"all are right on points {agreed}, and {'two' if identical else 'no two'} are identical",
        "a PFC of 1 means that no point fails two of them: they agree wherever both are right",
    )


@claim("least-pfc", "Sections 4 and 5.4", tolerance=EXACT, why="an example", basis=Basis.OURS)
def least_pfc(tables: Tables, patterns: tuple[str, ...] = ("110", "110", "001")) -> Evidence:
    """The paper's τ, a least diversity (PFC) set to keep very similar pairs out, can let in pairs that are the same.

    The τ and γ of F3 are taken from the pool of all the classifiers, and tried on a pool with an identical pair. The
    paper says what τ is for, and not that it always does so.
    """
    K = len(patterns)
    credit = failure_credit(np.array([[letter == "1" for letter in pattern] for pattern in patterns]).T)
    pfc = pairwise_failure_crediting(credit, np.arange(K))
    tau = float(pfc.min())
    allowed = Diversity(credit, tau, (tau + float(pfc.mean())) / 2).met(np.arange(K))
    identical = any(patterns[k] == patterns[other] for k in range(K) for other in range(k))
    return Evidence.of_statement(
        allowed and identical and tau > 0,
        f"failure patterns {', '.join(patterns)}: PFC is {', '.join(f'{one:g}' for one in pfc)}, so τ = {tau:g} allows "
        f"all three, {'two' if identical else 'none'} of them identical",
        "PFC is a mean over the other classifiers, so one that is far from most may be the twin of another",
    )


@claim(
    "rank-level",
    "Table 4",
    tolerance=ROUNDING,
    why="ours: the paper cites a procedure that ranks by dataset",
    basis=Basis.OURS,
)
def rank_resolution(tables: Tables) -> Evidence:
    """Ranks were averaged over repetitions or runs, not taken of the nine datasets' mean accuracies.

    Means over nine datasets of ranks with shared ties are multiples of 1/18; the printed ones are not.
    """
    ranks = printed_ranks("table_4").drop(index=AVERAGE).to_numpy().ravel()
    nearest = np.round(ranks * 18) / 18
    right = np.abs(ranks - nearest) <= 0.005 + 1e-9
    return Evidence.of_statement(
        not right.all(),
        f"{right.sum()} of {right.size} printed ranks are multiples of 1/18, as all means over nine datasets are",
        "so ranks were taken in each repetition or each run, and then averaged",
    )


@claim(
    "deviations",
    "Table 5",
    tolerance="binomial, as if the dataset were balanced",
    why=NOT_SAID,
    basis=Basis.OURS,
)
def deviations_of_folds(tables: Tables, dataset: str = "DRD", folds: int = 10) -> Evidence:
    """The printed standard deviations are too small to be those of single test folds.

    Chance makes them larger in a fold of a balanced dataset.
    """
    n = published(NAME, "table_2").set_index("dataset")["N"].astype(int)[dataset] / folds
    mean = printed_means().loc[dataset].to_numpy().max()
    chance, most = np.sqrt(mean * (1 - mean) / n), printed_means("std").loc[dataset].to_numpy().max()
    found = f"{dataset}: {chance:.3f} by chance in a fold of {n:.0f} points, at most {most:.4f} printed"
    reason = "presumably over ten repetitions; standard errors over the hundred runs would fit about as well"
    return Evidence.of_statement(bool(most < chance), found, reason)
