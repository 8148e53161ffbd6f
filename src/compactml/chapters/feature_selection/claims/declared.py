"""The quantitative statements of Mehmanchi, Gómez and Prokopyev (2021), each with its check, tolerance and why that."""

from __future__ import annotations

from functools import partial

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.claims import checks
from compactml.chapters.feature_selection.claims import scores as score_checks
from compactml.chapters.feature_selection.claims.checks import LARGEST_SMALL, SIMILAR, TIME_STEP
from compactml.chapters.feature_selection.claims.statements import FINDINGS, PRINT
from compactml.chapters.feature_selection.printed import SCORES
from compactml.study.judging.claims import Claim

MOST = "more than half of the datasets"
CELLS = "more than half of the cells (dataset and classifier)"
EVERY = "every dataset"
EXACTLY = "exact"
IN_GENERAL = 'ours: the prose says "in general", "most", "typically"'
PROSE = "the prose"

SCORED = {"F1, naive Bayes": "Naive Bayes F1", "F1, random forest": "Random forest F1"}

claim = partial(Claim.of, NAME)

TIMES = (
    claim(
        "milp3-best",
        "Section 5.2, Table 2",
        f"Up to {LARGEST_SMALL} features the new model MILP3 is in general the best of the three integer programs",
        f"{MOST}; {TIME_STEP} s",
        IN_GENERAL,
        checks.milp3_best,
    ),
    claim(
        "only-milp3",
        "Section 5.2, Table 2",
        "With 44 to 60 features MILP3 is mostly solved, and MILP1 and MILP2 are not, within the hour",
        MOST,
        IN_GENERAL,
        checks.only_milp3,
    ),
    claim(
        "no-milp-above-60",
        "Section 5.2, Table 2",
        f"Above {LARGEST_SMALL} features none of the three integer programs for mRMR is solved within the hour",
        EVERY,
        PROSE,
        checks.no_milp_above,
    ),
    claim(
        "milp1-without-set",
        "Section 5.2, Table 2",
        f"Above {LARGEST_SMALL} features MILP1 often ends its hour without any set of features",
        "a third of the datasets",
        'ours: the prose says "often"',
        checks.milp1_without_set,
    ),
    *(
        claim(
            f"parametric-gaps-{measure}",
            f"Section 5.2, {place}",
            f"Above {LARGEST_SMALL} features Algorithm 1 or 2 leaves a smaller {measure} gap than any integer program",
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
            f"Algorithm 1 or 2 solves mRMR on {dataset} to optimality within the hour",
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
            f"On 15 of the 25 datasets at least one of the paper's methods solves {measure}",
            "every one of the 15 datasets",
            "counted in the printed tables",
            partial(checks.proved, gap_tables=tables),
        )
        for measure, tables in (("mRMR", ("table_2", "table_3")), ("CFS", ("table_4",)))
    ),
    *(
        claim(
            f"similar-times-{measure}",
            "Section 5.2",
            f"Where Algorithms 1 and 2 both solve {measure}, they take similar times",
            f"median within a factor {SIMILAR:g}, times below {TIME_STEP} s as they are and raised to it",
            'ours: the prose says "similar"',
            partial(checks.similar_times, table=table),
        )
        for measure, table in (("mRMR", "table_3"), ("CFS", "table_4"))
    ),
    claim(
        "optical-faster",
        "Section 5.2, Table 3",
        "On Optical_Recog Algorithms 1 and 2 prove the optimum of mRMR faster than the heuristic ends",
        EXACTLY,
        PROSE,
        partial(checks.faster_than_heuristic, table="table_3", datasets=("Optical_Recog",)),
    ),
    claim(
        "cfs-heuristic-slower",
        "Section 5.2, Table 4",
        "Wherever Algorithm 1 or 2 solves CFS, the heuristic takes longer",
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
            f"{SCORED[name]} scores of all features on 25 datasets (Table 5)",
            "two standard errors of the difference, over five folds",
            "folds, seeds and the release of scikit-learn differ",
            partial(score_checks.full_set, column=f"{classifier}_mean"),
        )
        for classifier, name in SCORES.items()
    ),
    *(
        claim(
            f"sizes-{measure}",
            f"Table {table[-1]}",
            f"Sizes of the sets that the paper's methods prove best for {measure} (Table {table[-1]})",
            EXACTLY,
            "sets within 1 % of the optimum may differ in size",
            partial(score_checks.sizes, table=table, gap_table=gap_table),
        )
        for measure, table, gap_table in (("mRMR", "table_6", "table_3"), ("CFS", "table_7", "table_4"))
    ),
    claim(
        "milp3-scores",
        "Section 5.2, Table 5",
        "On most datasets the set of MILP3 has the best F1 score of the three integer programs",
        f"{CELLS}; ties count",
        IN_GENERAL,
        score_checks.milp3_scores,
    ),
    claim(
        "mrmr-heuristic-worse",
        "Section 5.2, Table 6",
        "For mRMR the set of the heuristic in general scores worse than those of Algorithms 1 and 2",
        CELLS,
        IN_GENERAL,
        partial(score_checks.heuristic_scores, table="table_6"),
    ),
    claim(
        "mrmr-heuristic-named",
        "Section 5.2, Table 6",
        "On Connectionist, ISOLET and USPS the heuristic for mRMR scores worse than Algorithms 1 and 2",
        "every cell",
        PROSE,
        partial(score_checks.heuristic_scores, table="table_6", datasets=("Connectionist", "ISOLET", "USPS")),
    ),
    claim(
        "cfs-heuristic-worse",
        "Section 5.2, Table 7",
        f"Above {LARGEST_SMALL} features the heuristic for CFS generally scores worse than Algorithms 1 and 2",
        CELLS,
        IN_GENERAL,
        partial(score_checks.heuristic_scores, table="table_7", least=LARGEST_SMALL),
    ),
    claim(
        "algorithm1-better-mrmr",
        "Section 5.2, Table 6",
        "For mRMR the sets of Algorithm 1 score better than those of Algorithm 2 more often than worse",
        "printed digits",
        PROSE,
        partial(score_checks.better_algorithm, table="table_6", better="Algorithm 1", other="Algorithm 2"),
    ),
    claim(
        "algorithm2-better-cfs",
        "Section 5.2, Table 7",
        "For CFS the sets of Algorithm 2 score better than those of Algorithm 1 more often than worse",
        "printed digits",
        PROSE,
        partial(score_checks.better_algorithm, table="table_7", better="Algorithm 2", other="Algorithm 1"),
    ),
    claim(
        "cfs-smaller",
        "Section 5.2",
        "CFS typically selects fewer features than mRMR does on the same dataset",
        f"{MOST}; sets that are proved within the tolerance",
        IN_GENERAL,
        score_checks.cfs_sets_smaller,
    ),
)

CLAIMS = (*TIMES, *SETS, *PRINT, *FINDINGS)
