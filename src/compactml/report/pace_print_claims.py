"""The statements of Akkerman, Ferry, Guyard and Vidal (2026) that print itself, or an example, decides."""

from __future__ import annotations

from functools import partial

from compactml.experiments.pace import CHAPTER
from compactml.experiments.pace_ensembles import ADABOOST, RANDOM_FOREST
from compactml.report import pace_print_checks as printed
from compactml.report.claims import Claim
from compactml.report.pace_frames import ENSEMBLES
from compactml.report.pace_print_checks import REDUCTIONS, WINS

EXACT = "exact"
PRINT = "the printed cells"

claim = partial(Claim.of, CHAPTER)

FORESTS = {"table_1": "random forests", "table_3": "AdaBoost"}

ON_PRINT = (
    *(
        claim(
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
        claim(
            f"print-wins-{ensemble}",
            "E.2, Table 4",
            f"In print Pace is smaller than Fipe on {WINS[ensemble]} of 11 datasets ({ENSEMBLES[ensemble]})",
            EXACT,
            PRINT,
            partial(printed.strict_wins, ensemble=ensemble),
        )
        for ensemble in (RANDOM_FOREST, ADABOOST)
    ),
    claim(
        "print-fipe",
        "E.2, Table 4",
        "In print Pace is nowhere larger than Fipe",
        EXACT,
        PRINT,
        printed.no_larger,
    ),
    claim(
        "print-ties",
        "E.2, Table 4",
        "The three datasets that tie for AdaBoost tie for forests too",
        EXACT,
        PRINT,
        printed.ties,
    ),
    *(
        claim(
            f"print-ablations-{table}",
            f"Result 2, Table {table[-1]}",
            f"In print Pace consistently outperforms both ablations ({what})",
            "smaller in every cell",
            PRINT,
            partial(printed.ablations, table=table),
        )
        for table, what in FORESTS.items()
    ),
    claim(
        "print-generated-table_1",
        "Result 2, Table 1",
        "In print all learners of Pace are generated in most cases (random forests)",
        "half of the cells",
        PRINT,
        partial(printed.all_generated, table="table_1"),
    ),
    claim(
        "print-generated-table_3",
        "E.1, Table 3",
        "In print learners of Pace are generated most of the time (AdaBoost)",
        "half of the learners",
        PRINT,
        partial(printed.mostly_generated, table="table_3"),
    ),
    claim(
        "print-limit",
        "E.1, Table 3",
        "Pace reaches 20 hours on the two largest AdaBoost ensembles of Ionosphere alone",
        EXACT,
        PRINT,
        printed.limit_reached,
    ),
    claim(
        "strict-decrease",
        "Proposition 1",
        "A learner with negative reduced cost makes the value of (P1) smaller",
        "one counterexample",
        "a proposition",
        printed.strict_decrease,
    ),
)
