"""The quantitative statements of Akkerman, Ferry, Guyard and Vidal (2026), each with its check and tolerance."""

from __future__ import annotations

from functools import partial

from compactml.experiments.pace_ensembles import ADABOOST, RANDOM_FOREST
from compactml.report import pace_checks as checks
from compactml.report import pace_speed_checks as speed
from compactml.report.pace_frames import ENSEMBLES
from compactml.report.pace_print_checks import WINS
from compactml.report.pace_print_claims import EXACT, FORESTS, ON_PRINT, PRINT, claim
from compactml.report.pace_shares import printed_shares

ORDER = "order of the sizes"
CERTIFIED = "ours: only certified sizes count"
PROSE = "the prose"
LOST = "ours: the paper's settings are lost"

LOOPS = {"fig_2": ("random forests", "Fig 2"), "fig_5": ("AdaBoost", "Fig 5")}
SAMPLES = {"fig_8": ("random forests", "Fig 8"), "fig_9": ("AdaBoost", "Fig 9")}
HISTORIES = {"fig_10": ("random forests", "Fig 10"), "fig_11": ("AdaBoost", "Fig 11")}
REGIONS = {
    "fig_3": ("Compas, random forests", "Fig 3"),
    "fig_4": ("Fico, random forests", "Fig 4"),
    "fig_6": ("Compas, AdaBoost", "Fig 6"),
    "fig_7": ("Fico, AdaBoost", "Fig 7"),
}

SEPARATION = (
    *(
        claim(
            f"faster-{form}-{table}",
            f"Result 1, {place}",
            f"Constraint-based separation is faster than {words} in every setting ({what})",
            "geometric mean over datasets and runs above 1",
            PROSE,
            partial(speed.faster, table=table, form=form),
        )
        for table, (what, place) in LOOPS.items()
        for form, words in (
            ("objective", "the objective by the same solver"),
            ("milp", "the objective as a mixed-integer program"),
        )
    ),
    *(
        claim(
            f"more-samples-{table}",
            f"E.3, {place}",
            f"Constraint-based separation generates more samples than objective-based ({what})",
            "geometric mean over datasets and runs below 1",
            PROSE,
            partial(speed.more_samples, table=table),
        )
        for table, (what, place) in SAMPLES.items()
    ),
    *(
        claim(
            f"no-gain-{table}",
            f"E.3, {place}",
            f"Objective and constraint together do not improve the time meaningfully ({what})",
            f"at least {speed.MEANINGFUL:g} of the time",
            'ours: "meaningful" has no number',
            partial(speed.no_gain, table=table),
        )
        for table, (what, place) in SAMPLES.items()
    ),
    *(
        claim(
            f"fewer-samples-both-{table}",
            f"E.3, {place}",
            f"Objective and constraint together need fewer samples than the constraint ({what})",
            "geometric mean over datasets and runs below 1",
            PROSE,
            partial(speed.more_samples, table=table, form="both"),
        )
        for table, (what, place) in SAMPLES.items()
    ),
)

SIZES = (
    *(
        claim(
            f"{name}-{table}",
            f"Result 2, Table {table[-1]}",
            f"{statement} ({what})",
            tolerance,
            CERTIFIED,
            partial(check, table=table),
        )
        for table, what in FORESTS.items()
        for name, statement, tolerance, check in (
            ("ablations", "Pace outperforms both ablations", ORDER, checks.ablations),
            ("never-larger", "Pace is nowhere larger than an ablation", ORDER, checks.never_larger),
            ("slower", "Pace takes more time than both ablations", "order of the times", checks.slower),
            (
                "pruned-sizes",
                "Pruning only has the printed sizes, in our settings (see the lost settings)",
                f"{checks.NEAR} learner",
                checks.pruned_sizes,
            ),
        )
    ),
    claim(
        "generated-table_1",
        "Result 2, Table 1",
        "In most cases all learners of Pace are generated (random forests)",
        "half of the cells",
        PROSE,
        partial(checks.all_generated, table="table_1"),
    ),
    claim(
        "generated-table_3",
        "E.1, Table 3",
        "Learners of Pace are generated most of the time (AdaBoost)",
        "half of the learners",
        PROSE,
        partial(checks.mostly_generated, table="table_3"),
    ),
    *(
        claim(
            f"{name}-{ensemble}",
            "E.2, Table 4",
            f"{statement} ({ENSEMBLES[ensemble]})",
            tolerance,
            CERTIFIED,
            partial(check, ensemble=ensemble),
        )
        for ensemble in (RANDOM_FOREST, ADABOOST)
        for name, statement, tolerance, check in (
            (
                "fipe-sizes",
                "Fipe has the printed sizes, in the settings inferred",
                f"{checks.NEAR} learner",
                checks.fipe_sizes,
            ),
            ("fipe", "Pace is nowhere larger than Fipe", ORDER, checks.no_larger_than_fipe),
            (
                "wins",
                f"Pace is smaller than Fipe on {WINS[ensemble]} of 11 datasets",
                "at least as many",
                checks.strict_wins,
            ),
        )
    ),
    claim(
        "single-trees",
        "E.2, Table 4",
        "Pace reduces AdaBoost to a single tree on Diabetes, Elec2, Pol and Htru2",
        EXACT,
        PRINT,
        checks.single_trees,
    ),
)

CONTROL = (
    *(
        claim(
            f"relaxing-{table}",
            f"Result 3, {place}",
            f"Relaxed faithfulness drastically reduces the size ({what})",
            "half, with generation and without",
            'ours: "drastically" has no number',
            partial(checks.relaxing_helps, table=table),
        )
        for table, (what, place) in REGIONS.items()
    ),
    *(
        claim(
            f"half-{table}",
            f"Result 3, {REGIONS[table][1]}",
            f"At alpha = beta = 0 generation halves the size ({REGIONS[table][0]})",
            f"at most {checks.HALF:g} of the size",
            'ours: "about half"',
            partial(checks.half_when_strict, table=table),
        )
        for table in ("fig_3", "fig_6")
    ),
    *(
        claim(
            f"same-{table}",
            f"Result 3, {REGIONS[table][1]}",
            f"At alpha = beta = 0 generation brings nothing ({REGIONS[table][0]})",
            f"{checks.NEAR} learner",
            'ours: "essentially indistinguishable"',
            partial(checks.same_when_strict, table=table),
        )
        for table in ("fig_4", "fig_7")
    ),
    *(
        claim(
            f"gap-{table}",
            f"Result 3, {REGIONS[table][1]}",
            f"A gap emerges once faithfulness is relaxed ({REGIONS[table][0]})",
            ORDER,
            CERTIFIED,
            partial(checks.gap_when_relaxed, table=table),
        )
        for table in ("fig_4", "fig_7")
    ),
)

GENERATION = tuple(
    claim(
        f"{name}-{table}",
        f"E.4, {place}",
        f"{statement} ({what})",
        tolerance,
        origin,
        partial(check, table=table),
    )
    for table, (what, place) in HISTORIES.items()
    for name, statement, tolerance, origin, check in (
        (
            "reduced-cost",
            "The reduced cost tends to 0",
            f"{speed.VANISHED:g} of the first one",
            'ours: "converges"',
            speed.reduced_cost_vanishes,
        ),
        ("lp-value", "The value of (P1) decreases", "last below first", PROSE, speed.value_falls),
        (
            "first-samples",
            "Most separating samples are found in the first iteration",
            "half",
            PROSE,
            speed.first_samples,
        ),
        (
            "linear-samples",
            "Samples then grow roughly linearly",
            f"R² of at least {speed.LINEAR:g}",
            'ours: "roughly"',
            partial(speed.linear_growth, measure="n_samples"),
        ),
        (
            "linear-problems",
            "Separation problems then grow roughly linearly",
            f"R² of at least {speed.LINEAR:g}",
            'ours: "roughly"',
            partial(speed.linear_growth, measure="n_solved"),
        ),
    )
)

DATA = (
    claim(
        "class-shares",
        "Table 2",
        "The classes of the datasets have the printed shares",
        EXACT,
        "the printed digits",
        printed_shares,
    ),
)

CLAIMS = (*DATA, *SEPARATION, *SIZES, *CONTROL, *GENERATION, *ON_PRINT)
