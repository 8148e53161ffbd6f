"""The quantitative statements of Mehmanchi, Gómez and Prokopyev (2021), each with its check, tolerance and why that."""

from __future__ import annotations

from functools import partial

from compactml.experiments.feature_selection import CHAPTER
from compactml.report import feature_selection_checks as checks
from compactml.report import feature_selection_errata as errata
from compactml.report import feature_selection_score_checks as score_checks
from compactml.report.claims import Claim
from compactml.report.feature_selection_checks import LARGEST_SMALL, SIMILAR, TIME_STEP
from compactml.report.feature_selection_frames import SCORES
from compactml.report.feature_selection_score_checks import NEAR

MOST = "more than half of the datasets"
CELLS = "more than half of the cells (dataset and classifier)"
EVERY = "every dataset"
EXACTLY = "exact"
IN_GENERAL = 'ours: the prose says "in general", "most", "typically"'
PROSE = "the prose"
ARITHMETIC = "rounding of the printed digits"

claim = partial(Claim.of, CHAPTER)

TIMES = (
    claim(
        "milp3-best",
        "Section 5.2, Table 2",
        f"Up to {LARGEST_SMALL} features MILP3 is in general the best of the MILPs",
        f"{MOST}; {TIME_STEP} s",
        IN_GENERAL,
        checks.milp3_best,
    ),
    claim(
        "only-milp3",
        "Section 5.2, Table 2",
        "With 44 to 60 features MILP3 is mostly solved, MILP1 and MILP2 are not",
        MOST,
        IN_GENERAL,
        checks.only_milp3,
    ),
    claim(
        "no-milp-above-60",
        "Section 5.2, Table 2",
        f"Above {LARGEST_SMALL} features no MILP for mRMR is solved within the limit",
        EVERY,
        PROSE,
        checks.no_milp_above,
    ),
    claim(
        "milp1-without-set",
        "Section 5.2, Table 2",
        f"Above {LARGEST_SMALL} features MILP1 often ends without any set",
        "a third of the datasets",
        'ours: the prose says "often"',
        checks.milp1_without_set,
    ),
    *(
        claim(
            f"parametric-gaps-{measure}",
            f"Section 5.2, {place}",
            f"{measure}: above {LARGEST_SMALL} features the better algorithm's gap is smaller than the MILPs'",
            f"{EVERY}; proved gaps, ties count",
            "ours: the paper's gap of Algorithm 2 is an estimate",
            partial(checks.parametric_gaps, table=table),
        )
        for measure, place, table in (("mRMR", "Table 3", "table_3"), ("CFS", "Table 4", "table_4"))
    ),
    *(
        claim(
            f"solves-{dataset}",
            "Section 5.2, Table 3",
            f"mRMR: Algorithm 1 or 2 solves {dataset}",
            "the paper's tolerance",
            PROSE,
            partial(checks.parametric_solves, dataset=dataset),
        )
        for dataset in ("Semeion_Hand", "Madelon")
    ),
    *(
        claim(
            f"proved-{measure}",
            ", ".join(f"Table {table[-1]}" for table in tables),
            f"{measure}: 15 of the 25 datasets are solved by at least one method",
            "at least as many",
            "counted in the printed tables",
            partial(checks.proved, gap_tables=tables),
        )
        for measure, tables in (("mRMR", ("table_2", "table_3")), ("CFS", ("table_4",)))
    ),
    *(
        claim(
            f"similar-times-{measure}",
            "Section 5.2",
            f"{measure}: Algorithms 1 and 2 take similar times where both solve",
            f"median within a factor {SIMILAR:g}, times below {TIME_STEP} s as they are and raised to it",
            'ours: the prose says "similar"',
            partial(checks.similar_times, table=table),
        )
        for measure, table in (("mRMR", "table_3"), ("CFS", "table_4"))
    ),
    claim(
        "optical-faster",
        "Section 5.2, Table 3",
        "mRMR: on Optical_Recog the algorithms prove the optimum faster than the heuristic ends",
        EXACTLY,
        PROSE,
        partial(checks.faster_than_heuristic, table="table_3", datasets=("Optical_Recog",)),
    ),
    claim(
        "cfs-heuristic-slower",
        "Section 5.2, Table 4",
        "CFS: wherever Algorithm 1 or 2 solves, the heuristic takes longer",
        EVERY,
        PROSE,
        partial(checks.faster_than_heuristic, table="table_4"),
    ),
)

SETS = (
    *(
        claim(
            f"full-set-{classifier}",
            "Table 5",
            f"{name} of the full sets",
            f"{NEAR}",
            "ours: folds, seeds and the release of scikit-learn differ",
            partial(score_checks.full_set, column=f"{classifier}_mean"),
        )
        for classifier, name in SCORES.items()
    ),
    *(
        claim(
            f"sizes-{measure}",
            f"Table {table[-1]}",
            f"{measure}: sizes of the sets that are proved within the tolerance",
            EXACTLY,
            "sets within 1 % of the optimum may differ in size",
            partial(score_checks.sizes, table=table, gap_table=gap_table),
        )
        for measure, table, gap_table in (("mRMR", "table_6", "table_3"), ("CFS", "table_7", "table_4"))
    ),
    claim(
        "milp3-scores",
        "Section 5.2, Table 5",
        "In most datasets MILP3's set has the best F1 score of the MILPs'",
        f"{CELLS}; ties count",
        IN_GENERAL,
        score_checks.milp3_scores,
    ),
    claim(
        "mrmr-heuristic-worse",
        "Section 5.2, Table 6",
        "mRMR: the heuristic's set in general scores worse than those of Algorithms 1 and 2",
        CELLS,
        IN_GENERAL,
        partial(score_checks.heuristic_scores, table="table_6"),
    ),
    claim(
        "mrmr-heuristic-named",
        "Section 5.2, Table 6",
        "mRMR: so it does on Connectionist, ISOLET and USPS",
        "every cell",
        PROSE,
        partial(score_checks.heuristic_scores, table="table_6", datasets=("Connectionist", "ISOLET", "USPS")),
    ),
    claim(
        "cfs-heuristic-worse",
        "Section 5.2, Table 7",
        f"CFS: above {LARGEST_SMALL} features the heuristic's set generally scores worse than the algorithms'",
        CELLS,
        IN_GENERAL,
        partial(score_checks.heuristic_scores, table="table_7", least=LARGEST_SMALL),
    ),
    claim(
        "algorithm1-better-mrmr",
        "Section 5.2, Table 6",
        "mRMR: Algorithm 1's sets score better than Algorithm 2's more often than the reverse",
        "printed digits",
        PROSE,
        partial(score_checks.better_algorithm, table="table_6", better="Algorithm 1", other="Algorithm 2"),
    ),
    claim(
        "algorithm2-better-cfs",
        "Section 5.2, Table 7",
        "CFS: Algorithm 2's sets score better than Algorithm 1's more often than the reverse",
        "printed digits",
        PROSE,
        partial(score_checks.better_algorithm, table="table_7", better="Algorithm 2", other="Algorithm 1"),
    ),
    claim(
        "cfs-smaller",
        "Section 5.2",
        "CFS typically selects fewer features than mRMR",
        f"{MOST}; Algorithm 2's sets",
        IN_GENERAL,
        score_checks.cfs_sets_smaller,
    ),
)

PRINT = (
    claim(
        "su-range",
        "Section 2.2",
        "The printed symmetrical uncertainty ranges from 0 to 1",
        EXACTLY,
        "arithmetic",
        errata.uncertainty_range,
    ),
    *(
        claim(
            f"table-4-{dataset}",
            "Table 4",
            f"CFS: the values and bounds of the methods agree on {dataset}",
            ARITHMETIC,
            "the gaps (17) and (18)",
            partial(errata.consistent, dataset=dataset),
        )
        for dataset in ("ISOLET", "Parkinson")
    ),
    claim(
        "sizes-up-to-p",
        "Tables 5, 6 and 7",
        "No method selects more features than there are",
        EXACTLY,
        "arithmetic",
        errata.heuristic_sizes,
    ),
    claim(
        "tables-2-and-3",
        "Tables 2 and 3",
        "MILP1 and MILP3 have the same numbers in both tables",
        EXACTLY,
        "the same runs",
        errata.milp3_times,
    ),
)
"""Statements that print itself decides."""

CLAIMS = (*TIMES, *SETS, *PRINT)
