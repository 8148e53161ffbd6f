"""Claims that need no run: arithmetic on what Bastos, Brandão and Valle (2024) print, errata; and our own findings."""

from __future__ import annotations

from functools import partial

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims import errata, findings
from compactml.study.judging.claims import Basis, Claim

EXACT = "exact"
ROUNDING = "rounding of the printed digits"
OURS = "ours"
SAME_VOTES = "both on the same votes, fold, solver and thread"
OF_WHAT = {"table_4": "accuracy", "table_6": "balanced accuracy"}

claim = partial(Claim.of, NAME)

ARITHMETIC = (
    *(
        claim(
            f"rank-sums-{table}",
            f"Table {table[-1]}",
            f"The mean ranks of {what} of k methods sum to k (k + 1) / 2 in each row",
            "0.005 for each method",
            ROUNDING,
            partial(errata.rank_sums, table=table),
            Basis.ARITHMETIC,
        )
        for table, what in OF_WHAT.items()
    ),
    *(
        claim(
            f"rank-averages-{table}",
            f"Table {table[-1]}",
            f"The last row of the mean ranks of {what} is the mean of the rows above",
            "0.01",
            ROUNDING,
            partial(errata.averages_of_ranks, table=table),
            Basis.ARITHMETIC,
        )
        for table, what in OF_WHAT.items()
    ),
    claim(
        "most-balanced",
        "Section 5.5",
        "MSK and DRD are the most balanced of the nine datasets, by their shares of positive points",
        EXACT,
        "arithmetic on Table 2",
        errata.most_balanced,
        Basis.ARITHMETIC,
    ),
)

ERRATA = (
    claim(
        "theta",
        "Table 2",
        "The printed imbalance θ of each dataset is its share of positive points, N1 / N",
        EXACT,
        ROUNDING,
        errata.theta_printed,
        Basis.ERRATUM,
    ),
    claim(
        "validation",
        "Table 3",
        'The column "27 % of N" has the numbers of validation points of the nine datasets',
        "rounded up or down",
        ROUNDING,
        errata.validation_sizes,
        Basis.ERRATUM,
    ),
    claim(
        "theta-dispersion-print",
        "Section 5.5, Table 5",
        "Of all methods, the program for balanced accuracy has the smallest average deviation in Table 5",
        EXACT,
        "the printed digits",
        errata.theta_dispersion,
        Basis.ERRATUM,
    ),
    claim(
        "constant",
        "Constraint (6)",
        "The constant K of constraint (6) is large enough to allow every ensemble",
        EXACT,
        "a counterexample",
        errata.big_constant,
        Basis.ERRATUM,
    ),
    claim(
        "pfc-of-one",
        "Section 4",
        "A diversity (PFC) of 1 means: different from every other classifier on all points, the others identical",
        EXACT,
        "a counterexample",
        errata.pfc_of_one,
        Basis.ERRATUM,
    ),
)

INFERENCES = (
    claim(
        "rank-level",
        "Table 4",
        "Ranks were averaged over repetitions or runs, not taken of the nine datasets' mean accuracies",
        ROUNDING,
        "ours: the paper cites a procedure that ranks by dataset",
        errata.rank_resolution,
        Basis.OURS,
    ),
    claim(
        "deviations",
        "Table 5",
        "The printed standard deviations are too small to be those of single test folds",
        "binomial, as if the dataset were balanced",
        "ours: over what the paper takes them is not said",
        errata.deviations_of_folds,
        Basis.OURS,
    ),
)

FINDINGS = (
    claim(
        "smaller-gap-sooner",
        "Section 5.3",
        "After seconds our method leaves a smaller gap than the paper's program after a minute",
        "order of the gaps",
        SAME_VOTES,
        findings.smaller_gap_sooner,
        Basis.OURS,
    ),
    claim(
        "flow-beats-program",
        "Section 5.3",
        "A single maximum flow proves a better bound than the paper's program proves in a minute",
        "order of the bounds",
        SAME_VOTES,
        findings.flow_beats_program,
        Basis.OURS,
    ),
    claim(
        "proved-optimal",
        "Section 5.3",
        f"Our method proves the optimum of every run with fewer than {findings.FEW_POINTS} validation points",
        EXACT,
        OURS,
        findings.proved_optimal,
        Basis.OURS,
    ),
    claim(
        "branching-closes",
        "Section 5.3",
        "Branching on classifiers closes a third or more of the errors that cuts leave open",
        "a third",
        OURS,
        findings.branching_closes,
        Basis.OURS,
    ),
    claim(
        "diversity-costs-little",
        "Section 4",
        f"Requiring diversity costs at most {findings.MOST_LOST:.1%} of the right validation points in any run",
        f"{findings.MOST_LOST:.1%}",
        'ours: the prose says "negligible"',
        findings.diversity_costs_little,
        Basis.OURS,
    ),
    claim(
        "programs-overfit",
        "Section 5.4",
        "From validation to test points the exact programs lose more accuracy than every benchmark",
        "order of the means",
        OURS,
        findings.programs_overfit,
        Basis.OURS,
    ),
)
