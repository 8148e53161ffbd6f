"""The quantitative statements of Bastos, Brandão and Valle (2024), each with its check, tolerance and why that."""

from __future__ import annotations

from functools import partial

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims import balance as balanced
from compactml.chapters.ensemble_pruning.claims import checks, dispersion, gaps
from compactml.chapters.ensemble_pruning.claims.printed import ARITHMETIC, ERRATA, FINDINGS, INFERENCES
from compactml.chapters.ensemble_pruning.rows import ACCURACY_METHODS, BALANCED_METHODS
from compactml.study.judging.claims import Claim

ORDER = "order of the means"
DEVIATIONS = (
    f"order of the standard deviations; {dispersion.RUNS_OF_A_DEVIATION} runs of a case or more to refute it"
)
SHARES = f"{checks.NEAR:.0%} of the cases"
PROSE = "the prose"
OURS_SHARE = "ours: pool, folds and their number differ from the paper's"
NOT_SAID = "ours: over what the paper takes them is not said"

DIVERSITY = {"F1": "Without diversity constraints", "F3": "With diversity constraints"}
"""Columns of Table 3."""
SOLVED = {"F1": "five", "F3": "four"}
THETA_WEIGHTED = "The program for balanced accuracy"

claim = partial(Claim.of, NAME)

TABLE_2 = (
    claim(
        "table-2",
        "Table 2",
        "The nine datasets have the printed numbers of features and of points of either class",
        "exact",
        "the printed digits",
        checks.table_2,
    ),
)

GAPS = (
    *(
        claim(
            f"solved-{method}",
            "Table 3",
            f"{which} the optimality gap is 0.0 % on {SOLVED[method]} of nine datasets, after five minutes",
            f"{gaps.HALF_DIGIT} points",
            "rounding of the printed digits",
            partial(gaps.solved, method=method),
        )
        for method, which in DIVERSITY.items()
    ),
    *(
        claim(
            f"small-gaps-{method}",
            "Section 5.3",
            f"{which} every dataset ends with a small optimality gap, after five minutes",
            "the largest printed mean gap",
            'ours: the prose says "small"',
            partial(gaps.small_gaps, method=method),
        )
        for method, which in DIVERSITY.items()
    ),
    claim(
        "hardest",
        "Section 5.3",
        "The default-of-credit-card dataset (DEF) ends with the largest optimality gap",
        ORDER,
        PROSE,
        gaps.hardest,
    ),
    claim(
        "diversity-gap",
        "Section 5.3",
        "Diversity constraints raise the optimality gap notably on one dataset alone, DRD",
        "the largest other rise in the paper, 2 standard errors",
        'ours: the prose says "notable"',
        gaps.diversity_costs,
    ),
)

ACCURACY = (
    claim(
        "best-benchmarks",
        "Section 5.2",
        "The four benchmarks that the paper reports are more accurate than the three that it leaves out",
        ORDER,
        PROSE,
        checks.best_benchmarks,
    ),
    claim(
        "spread-accuracy",
        "Section 5.4",
        "Without the full ensemble, the best and the worst method differ by no more than 0.33 points of accuracy",
        "at most that",
        PROSE,
        partial(checks.spread, ranks=False),
    ),
    claim(
        "spread-rank",
        "Section 5.4",
        "Without the full ensemble, the best and the worst method differ by no more than 0.45 ranks of accuracy",
        "at most that",
        PROSE,
        partial(checks.spread, ranks=True),
    ),
    claim(
        "best-and-worst",
        "Section 5.4",
        "Without the full ensemble, hill climbing by concurrency (HC-CON) is most accurate, backfitting (BFT) least",
        ORDER,
        PROSE,
        checks.best_and_worst,
    ),
    claim(
        "hill-climbing-ahead",
        "Section 5.4",
        "Hill climbing (HC-CON, HC-UWA) is slightly ahead of the programs F1, F2 and F3 in accuracy and rank",
        ORDER,
        PROSE,
        checks.hill_climbing_ahead,
    ),
    claim(
        "full-last-accuracy",
        "Table 4",
        "The full, unpruned ensemble has the worst rank of accuracy at all four pool sizes",
        ORDER,
        "the printed ranks",
        partial(checks.full_ensemble_last, table="table_4", measure="accuracy", methods=ACCURACY_METHODS),
    ),
    claim(
        "diversity-helps",
        "Section 5.4",
        "Diversity constraints (F2, F3) improve the test accuracy and the rank of the program F1 a little",
        ORDER,
        PROSE,
        checks.diversity_helps,
    ),
    claim(
        "f2-wins",
        "Section 5.4",
        "The program with a limit on mean diversity (F2) beats all benchmarks in 11 of 36 cases",
        SHARES,
        OURS_SHARE,
        checks.f2_wins,
    ),
    claim(
        "hill-climbing-dispersion",
        "Section 5.4",
        "Hill climbing (HC-CON, HC-UWA) has more dispersed accuracies than the programs F1, F2 and F3",
        DEVIATIONS,
        NOT_SAID,
        dispersion.hill_climbing_disperses,
    ),
    claim(
        "diversity-dispersion",
        "Section 5.4",
        "Diversity constraints (F2, F3) make the test accuracies of the program F1 less dispersed",
        DEVIATIONS,
        NOT_SAID,
        dispersion.diversity_concentrates,
    ),
)

BALANCED = (
    claim(
        "theta-first",
        "Section 5.5, Table 6",
        f"{THETA_WEIGHTED} (θ-weighted F1) has the best rank of it at all four pool sizes",
        ORDER,
        PROSE,
        balanced.theta_first,
    ),
    claim(
        "theta-best-mean",
        "Section 5.5, Table 5",
        f"{THETA_WEIGHTED} (θ-weighted F1) has the largest mean of it on test points",
        ORDER,
        PROSE,
        balanced.theta_best_mean,
    ),
    claim(
        "both-ahead",
        "Section 5.5",
        "The programs for accuracy and for balanced accuracy both outrank every benchmark in balanced accuracy",
        ORDER,
        PROSE,
        balanced.both_ahead,
    ),
    claim(
        "theta-wins",
        "Section 5.5",
        f"{THETA_WEIGHTED} (θ-weighted F1) beats all benchmarks in 22 of 36 cases",
        SHARES,
        OURS_SHARE,
        balanced.theta_wins,
    ),
    *(
        claim(
            f"theta-loses-{dataset}",
            "Section 5.5",
            f"On {dataset}, a balanced dataset, the program for balanced accuracy is behind the best benchmark",
            "order of the means over the pool sizes",
            PROSE,
            partial(balanced.theta_loses, dataset=dataset),
        )
        for dataset in ("MSK", "DRD")
    ),
    claim(
        "theta-imbalanced",
        "Section 5.5, Table 5",
        f"{THETA_WEIGHTED} beats all benchmarks on the large and imbalanced datasets DEF, BMK and APS",
        "the six cases of Table 5",
        "the printed cases",
        balanced.theta_wins_where_imbalanced,
    ),
    claim(
        "theta-dispersion",
        "Section 5.5",
        f"{THETA_WEIGHTED} has less dispersed balanced accuracies than the program for accuracy and all benchmarks",
        DEVIATIONS,
        NOT_SAID,
        dispersion.theta_disperses_less,
    ),
    claim(
        "full-last-balanced",
        "Table 6",
        "The full, unpruned ensemble has the worst rank of balanced accuracy at all four pool sizes",
        ORDER,
        "the printed ranks",
        partial(
            checks.full_ensemble_last, table="table_6", measure=balanced.MEASURE, methods=BALANCED_METHODS
        ),
    ),
)

CLAIMS = (*TABLE_2, *GAPS, *ACCURACY, *BALANCED, *ARITHMETIC, *ERRATA, *INFERENCES, *FINDINGS)
