"""The quantitative statements of Bastos, Brandão and Valle (2024), each with its check, tolerance and why that."""

from __future__ import annotations

from functools import partial

from compactml.experiments.ensemble_pruning import CHAPTER
from compactml.report import ensemble_pruning_balanced_checks as balanced
from compactml.report import ensemble_pruning_checks as checks
from compactml.report import ensemble_pruning_errata as errata
from compactml.report.claims import Claim
from compactml.report.ensemble_pruning_frames import ACCURACY_METHODS, BALANCED_METHODS, DIVERSITY

ORDER = "order of the means"
DEVIATIONS = f"order of the standard deviations over {checks.RUNS_OF_A_DEVIATION} or more folds"
ERRORS = "2 standard errors of the difference"
OTHER_POOL = "ours: pool, folds and their number differ from the paper's"
PROSE = "the prose"
EXACT = "exact"
ARITHMETIC = "arithmetic"
ROUNDING = "rounding of the printed digits"

claim = partial(Claim.of, CHAPTER)

GAPS = (
    *(
        claim(
            f"solved-{method}",
            "Table 3",
            f"Datasets with a printed gap of 0.0 % ({columns}) are solved",
            f"{checks.HALF_DIGIT} points",
            ROUNDING,
            partial(checks.solved, method=method),
        )
        for method, columns in DIVERSITY.items()
    ),
    *(
        claim(
            f"small-gaps-{method}",
            "Section 5.3",
            f"All datasets end with small gaps ({columns})",
            "the largest printed mean gap",
            'ours: the prose says "small"',
            partial(checks.small_gaps, method=method),
        )
        for method, columns in DIVERSITY.items()
    ),
    claim("hardest", "Section 5.3", "DEF has the largest gap", ORDER, PROSE, checks.hardest),
    claim(
        "diversity-gap",
        "Section 5.3",
        "Diversity constraints raise the gap notably on DRD alone",
        "the largest other rise in print, 2 standard errors",
        'ours: the prose says "notable"',
        checks.diversity_costs,
    ),
)

ACCURACY = (
    claim(
        "spread-accuracy",
        "Section 5.4",
        "FE left out, the best and the worst method differ by 0.33 points of accuracy",
        f"at most that; {ERRORS}",
        OTHER_POOL,
        partial(checks.spread, ranks=False),
    ),
    claim(
        "spread-rank",
        "Section 5.4",
        "FE left out, the best and the worst method differ by 0.45 ranks",
        f"at most that; {ERRORS}",
        OTHER_POOL,
        partial(checks.spread, ranks=True),
    ),
    claim(
        "best-and-worst",
        "Section 5.4",
        "FE left out, HC-CON is the most accurate method and BFT the least",
        ORDER,
        PROSE,
        checks.best_and_worst,
    ),
    claim(
        "hill-climbing-ahead",
        "Section 5.4",
        "HC-CON and HC-UWA are slightly ahead of F1, F2 and F3 in accuracy and rank",
        f"{ORDER}; {ERRORS} of accuracies",
        "the prose; ours: what is within them may be chance",
        checks.hill_climbing_ahead,
    ),
    claim(
        "full-last-accuracy",
        "Table 4",
        "The full ensemble has the worst rank for every K",
        ORDER,
        "the printed ranks",
        partial(checks.full_ensemble_last, table="table_4", measure="accuracy", methods=ACCURACY_METHODS),
    ),
    claim(
        "diversity-helps",
        "Section 5.4",
        "Diversity constraints improve accuracy and rank a little",
        ORDER,
        PROSE,
        checks.diversity_helps,
    ),
    claim(
        "f2-wins",
        "Section 5.4",
        "F2 beats all benchmarks in 11 of 36 cases",
        "2 standard errors of the difference of two shares",
        OTHER_POOL,
        checks.f2_wins,
    ),
    claim(
        "hill-climbing-dispersion",
        "Section 5.4",
        "HC-CON and HC-UWA have more dispersed accuracies than F1, F2 and F3",
        DEVIATIONS,
        "ours: over what the paper takes them is not said",
        checks.hill_climbing_disperses,
    ),
    claim(
        "diversity-dispersion",
        "Section 5.4",
        "Diversity constraints reduce the dispersion",
        DEVIATIONS,
        "ours: over what the paper takes them is not said",
        checks.diversity_concentrates,
    ),
)

BALANCED = (
    claim(
        "theta-first",
        "Section 5.5, Table 6",
        "θ-weighted F1 has the best rank of balanced accuracy for every K",
        ORDER,
        PROSE,
        balanced.theta_first,
    ),
    claim(
        "theta-best-mean",
        "Section 5.5, Table 5",
        "θ-weighted F1 has the largest mean balanced accuracy",
        ORDER,
        PROSE,
        balanced.theta_best_mean,
    ),
    claim(
        "both-ahead",
        "Section 5.5",
        "F1 and θ-weighted F1 are both ahead of the benchmarks in rank",
        ORDER,
        PROSE,
        balanced.both_ahead,
    ),
    claim(
        "theta-wins",
        "Section 5.5",
        "θ-weighted F1 beats all benchmarks in 22 of 36 cases",
        "2 standard errors of the difference of two shares",
        OTHER_POOL,
        balanced.theta_wins,
    ),
    *(
        claim(
            f"theta-loses-{dataset}",
            "Section 5.5",
            f"On {dataset} θ-weighted F1 is behind the best benchmark",
            "order of the means over K",
            PROSE,
            partial(balanced.theta_loses, dataset=dataset),
        )
        for dataset in ("MSK", "DRD")
    ),
    claim(
        "theta-imbalanced",
        "Section 5.5, Table 5",
        "On the large and imbalanced datasets θ-weighted F1 beats all benchmarks",
        "every K on DEF, BMK and APS",
        "the printed cases",
        balanced.theta_wins_where_imbalanced,
    ),
    claim(
        "theta-dispersion",
        "Section 5.5",
        "θ-weighted F1 has less dispersed balanced accuracies than F1 and all benchmarks",
        DEVIATIONS,
        "ours: over what the paper takes them is not said",
        balanced.theta_disperses_less,
    ),
    claim(
        "full-last-balanced",
        "Table 6",
        "The full ensemble has the worst rank of balanced accuracy for every K",
        ORDER,
        "the printed ranks",
        partial(
            checks.full_ensemble_last, table="table_6", measure=balanced.MEASURE, methods=BALANCED_METHODS
        ),
    ),
)

PRINT = (
    claim("theta", "Table 2", "The printed θ is N1 / N", EXACT, ROUNDING, errata.theta_printed),
    claim(
        "validation",
        "Table 3",
        "27 % of N is what is printed",
        "rounded up or down",
        ROUNDING,
        errata.validation_sizes,
    ),
    *(
        claim(
            f"rank-sums-{table}",
            f"Table {table[-1]}",
            "The mean ranks of all methods sum to k (k + 1) / 2",
            "0.005 for each method",
            ROUNDING,
            partial(errata.rank_sums, table=table),
        )
        for table in ("table_4", "table_6")
    ),
    *(
        claim(
            f"rank-averages-{table}",
            f"Table {table[-1]}",
            "The last row is the mean of the others",
            "0.01",
            ROUNDING,
            partial(errata.averages_of_ranks, table=table),
        )
        for table in ("table_4", "table_6")
    ),
    claim(
        "rank-level",
        "Table 4",
        "Ranks were taken of the nine datasets' means",
        ROUNDING,
        "ours: the paper cites a procedure that ranks by dataset",
        errata.rank_resolution,
    ),
    claim(
        "most-balanced",
        "Section 5.5",
        "MSK and DRD are the most balanced datasets",
        EXACT,
        ARITHMETIC,
        errata.most_balanced,
    ),
    claim(
        "theta-dispersion-print",
        "Section 5.5, Table 5",
        "In print too, its average deviation is the smallest",
        EXACT,
        "the printed digits",
        errata.theta_dispersion,
    ),
    claim(
        "deviations",
        "Table 5",
        "The standard deviations are those of test folds",
        "binomial, as if the dataset were balanced",
        "ours: over what the paper takes them is not said",
        errata.deviations_of_folds,
    ),
    claim(
        "constant",
        "(6)",
        "The constant K of row (6) allows every ensemble",
        EXACT,
        ARITHMETIC,
        errata.big_constant,
    ),
)
"""Statements that print itself decides."""

CLAIMS = (*GAPS, *ACCURACY, *BALANCED, *PRINT)
