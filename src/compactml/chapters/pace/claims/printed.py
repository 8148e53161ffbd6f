"""The statements of Akkerman, Ferry, Guyard and Vidal (2026) that the printed numbers, or an example, decide."""

from __future__ import annotations

from functools import partial

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims import printed_checks as printed
from compactml.chapters.pace.claims.printed_checks import REDUCTIONS, WINS
from compactml.chapters.pace.rows import ENSEMBLES
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.study.judging.claims import Basis, Claim

EXACT = "exact"
PRINT = "the printed cells"

claim = partial(Claim.of, NAME)
arithmetic = partial(Claim.of, NAME, basis=Basis.ARITHMETIC)
erratum = partial(Claim.of, NAME, basis=Basis.ERRATUM)

FORESTS = {"table_1": "random forests", "table_3": "AdaBoost"}

ON_PRINT = (
    *(
        arithmetic(
            f"print-reductions-{ensemble}",
            "E.2, Table 4",
            f"Pace is smaller than Fipe by {', '.join(f'{p} % on {name}' for name, p in REDUCTIONS[ensemble].items())}",
            "rounding to percent",
            "the printed digits",
            partial(printed.reductions, ensemble=ensemble),
        )
        for ensemble in (RANDOM_FOREST, ADABOOST)
    ),
    *(
        arithmetic(
            f"print-wins-{ensemble}",
            "E.2, Table 4",
            f"In Table 4 Pace is smaller than Fipe on {WINS[ensemble]} of 11 datasets ({ENSEMBLES[ensemble]})",
            EXACT,
            PRINT,
            partial(printed.strict_wins, ensemble=ensemble),
        )
        for ensemble in (RANDOM_FOREST, ADABOOST)
    ),
    arithmetic(
        "print-fipe",
        "E.2, Table 4",
        "In Table 4 Pace is nowhere larger than Fipe",
        EXACT,
        PRINT,
        printed.no_larger,
    ),
    arithmetic(
        "print-ties",
        "E.2, Table 4",
        "The three datasets on which Pace and Fipe tie for AdaBoost also tie for random forests",
        EXACT,
        PRINT,
        printed.ties,
    ),
    *(
        arithmetic(
            f"print-ablations-{table}",
            f"Result 2, Table {table[-1]}",
            f"In Table {table[-1]} Pace is consistently smaller than both of its ablations ({what})",
            "smaller in every cell",
            PRINT,
            partial(printed.ablations, table=table),
        )
        for table, what in FORESTS.items()
    ),
    arithmetic(
        "print-generated-table_1",
        "Result 2, Table 1",
        "In most cells of Table 1 all learners of Pace are generated ones (random forests)",
        "half of the cells",
        PRINT,
        partial(printed.all_generated, table="table_1"),
    ),
    arithmetic(
        "print-generated-table_3",
        "E.1, Table 3",
        "In Table 3 most learners of Pace are generated ones (AdaBoost)",
        "half of the learners",
        PRINT,
        partial(printed.mostly_generated, table="table_3"),
    ),
    arithmetic(
        "print-limit",
        "E.1, Table 3",
        "Pace reaches 20 hours on the two largest AdaBoost ensembles of Ionosphere alone",
        EXACT,
        PRINT,
        printed.limit_reached,
    ),
)

ERRATA = (
    erratum(
        "strict-decrease",
        "Proposition 1",
        "A learner with negative reduced cost makes the value of the linear program (P1) strictly smaller",
        "one counterexample",
        "a proposition",
        printed.strict_decrease,
    ),
    erratum(
        "class-counts",
        "Table 2",
        "The class shares of Table 2 are those of the numbers of samples beside them",
        "rounding to three decimals",
        "the printed digits",
        printed.counted_rows,
    ),
    erratum(
        "cancer-source",
        "Appendix D",
        "Cancer is the dataset from Ljubljana on the recurrence of breast cancer",
        EXACT,
        "number of rows",
        printed.cancer_source,
    ),
    erratum(
        "generate-only-shares",
        "Tables 1 and 3",
        "Tables 1 and 3 print the right share of generated learners for Generate only, in every cell",
        "100 %",
        "nothing else is in these ensembles",
        printed.generated_alone,
    ),
)
