"""Claims on Mehmanchi, Gómez and Prokopyev (2021) that need none of their runs: what print decides, and our own."""

from __future__ import annotations

from functools import partial

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.claims import errata, findings, prose
from compactml.chapters.feature_selection.claims.checks import LARGEST_SMALL
from compactml.study.judging.claims import Basis, Claim

EXACTLY = "exact"
DIGITS = "the printed digits"
MOST = "more than half of the cells (dataset and classifier)"
PRINTED = "the paper's own tables"
LOGIC = "arithmetic"
OPEN = "the paper's tolerance: 1 % or 0.001"
OURS = "ours"

claim = partial(Claim.of, NAME)

ERRATA = (
    claim(
        "su-range",
        "Section 2.2",
        "Symmetrical uncertainty, as the paper defines it, ranges from 0 to 1",
        EXACTLY,
        LOGIC,
        errata.uncertainty_range,
        Basis.ERRATUM,
    ),
    claim(
        "hall-merit",
        "Sections 2.2 and 3.1",
        "The fraction that is maximised for CFS is the square of Hall's merit",
        EXACTLY,
        "an example of two features",
        errata.hall_merit,
        Basis.ERRATUM,
    ),
    claim(
        "empty-set",
        "Section 4",
        "The parametric problem has a negative value wherever the parameter exceeds the optimum",
        EXACTLY,
        "an example of two features",
        errata.empty_set,
        Basis.ERRATUM,
    ),
    claim(
        "last-iterate",
        "Section 4.1, Algorithm 1",
        "When Algorithm 1 ends before its limit, it returns a set within the tolerance",
        EXACTLY,
        "an example of two features",
        errata.last_iterate,
        Basis.ERRATUM,
    ),
    claim(
        "identifiers",
        "Table 1",
        "Breast_Cancer has 31 features and Zoo has 17",
        EXACTLY,
        "the registered data",
        errata.identifiers,
        Basis.ERRATUM,
    ),
    *(
        claim(
            f"table-4-{dataset}",
            "Table 4",
            f"On {dataset} no method finds a value for CFS that another one proves impossible",
            "rounding of the printed digits",
            "the gaps (17) and (18)",
            partial(errata.consistent, dataset=dataset),
            Basis.ERRATUM,
        )
        for dataset in ("ISOLET", "Parkinson")
    ),
    claim(
        "newton-gaps",
        "Tables 3 and 4",
        "The gaps printed for the runs that Algorithm 2 ends are the gaps of these runs",
        EXACTLY,
        LOGIC,
        errata.newton_gaps,
        Basis.ERRATUM,
    ),
    claim(
        "sizes-up-to-p",
        "Tables 5, 6 and 7",
        "No method selects more features than there are",
        EXACTLY,
        LOGIC,
        errata.heuristic_sizes,
        Basis.ERRATUM,
    ),
)

ARITHMETIC = (
    claim(
        "tables-2-and-3",
        "Tables 2 and 3",
        "Tables 2 and 3 give the same numbers for the same runs of MILP1 and MILP3",
        EXACTLY,
        "the same runs",
        errata.milp3_times,
        Basis.ARITHMETIC,
    ),
    claim(
        "printed-milp3-scores",
        "Section 5.2, Table 5",
        "In Table 5 the set of MILP3 mostly has the best F1 score of the three integer programs",
        f"{MOST}; ties count",
        PRINTED,
        prose.milp3_scores,
        Basis.ARITHMETIC,
    ),
    claim(
        "printed-mrmr-heuristic-worse",
        "Section 5.2, Table 6",
        "In Table 6 the heuristic in general scores worse than Algorithms 1 and 2",
        MOST,
        PRINTED,
        partial(prose.heuristic_worse, table="table_6"),
        Basis.ARITHMETIC,
    ),
    claim(
        "printed-mrmr-heuristic-named",
        "Section 5.2, Table 6",
        "In Table 6 the heuristic scores worse than Algorithms 1 and 2 on Connectionist, ISOLET and USPS",
        DIGITS,
        PRINTED,
        partial(prose.heuristic_worse, table="table_6", datasets=("Connectionist", "ISOLET", "USPS")),
        Basis.ARITHMETIC,
    ),
    claim(
        "printed-cfs-heuristic-worse",
        "Section 5.2, Table 7",
        f"In Table 7 the heuristic generally scores worse than Algorithms 1 and 2 above {LARGEST_SMALL} features",
        MOST,
        PRINTED,
        partial(prose.heuristic_worse, table="table_7", least=LARGEST_SMALL),
        Basis.ARITHMETIC,
    ),
    *(
        claim(
            f"printed-{name}",
            f"Section 5.2, Table {table[-1]}",
            f"In Table {table[-1]} the sets of {better} score better than those of {other} more often than worse",
            DIGITS,
            PRINTED,
            partial(prose.better_algorithm, table=table, better=better, other=other),
            Basis.ARITHMETIC,
        )
        for name, table, better, other in (
            ("algorithm1-better-mrmr", "table_6", "Algorithm 1", "Algorithm 2"),
            ("algorithm2-better-cfs", "table_7", "Algorithm 2", "Algorithm 1"),
        )
    ),
    claim(
        "printed-cfs-smaller",
        "Section 5.2",
        "In Tables 6 and 7 Algorithm 2 typically selects fewer features for CFS than for mRMR",
        "more than half of the datasets",
        PRINTED,
        prose.smaller_sets,
        Basis.ARITHMETIC,
    ),
)

PRINT = (*ERRATA, *ARITHMETIC)
"""Statements that the paper itself decides."""

FINDINGS = (
    claim(
        "certified",
        "Tables 2, 3 and 4",
        "Our method proves the optimum of the paper's 50 problems, as we read them, on one thread",
        OPEN,
        OURS,
        findings.certified,
        Basis.OURS,
    ),
    claim(
        "certified-open",
        "Tables 2, 3 and 4",
        "Our method proves the optimum of the problems that the paper leaves open after an hour",
        OPEN,
        OURS,
        findings.certified_open,
        Basis.OURS,
    ),
    claim(
        "certified-faster",
        "Tables 2, 3 and 4",
        "Where the paper proves an optimum, our method on one thread is faster than its fastest on four",
        "the printed digits of the time",
        OURS,
        findings.certified_faster,
        Basis.OURS,
    ),
    claim(
        "certificates",
        "Tables 2, 3 and 4",
        "Every optimum that our method proves has a certificate that an independent verifier accepts",
        EXACTLY,
        OURS,
        findings.certificates,
        Basis.OURS,
    ),
    claim(
        "exact",
        "Section 5.1",
        "Up to 500 features our method proves the optimum to a relative gap of one in a million",
        "one in a million, or one in a thousand million",
        OURS,
        findings.exact,
        Basis.OURS,
    ),
    claim(
        "faster-than-newton",
        "Section 4.2",
        "From 50 features on our method is over ten times as fast as Algorithm 2 on the same matrices",
        "a factor of 10",
        OURS,
        findings.faster_than_newton,
        Basis.OURS,
    ),
    claim(
        "readings-fit",
        "Section 5.1",
        "Our readings of the data fit all printed gaps and iterations of the 50 problems",
        "rounding of the printed digits",
        OURS,
        findings.readings_fit,
        Basis.OURS,
    ),
    claim(
        "su-formula",
        "Section 2.2",
        "Of three normalisations of symmetrical uncertainty only the geometric one fits the printed gaps throughout",
        "rounding of the printed digits",
        OURS,
        findings.uncertainty_formula,
        Basis.OURS,
    ),
    claim(
        "class-column",
        "Section 5.1",
        "Where a file's class stands first, the printed numbers fit the last column taken for the class",
        "rounding of the printed digits",
        OURS,
        findings.class_column,
        Basis.OURS,
    ),
)
"""What goes beyond the paper, and what we infer about it."""
