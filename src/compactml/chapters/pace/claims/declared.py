"""The quantitative statements of Akkerman, Ferry, Guyard and Vidal (2026), each with its check and tolerance."""

from __future__ import annotations

from functools import partial

from compactml.chapters.pace.claims import checks, region, speed
from compactml.chapters.pace.claims.beyond import FINDINGS
from compactml.chapters.pace.claims.printed import ERRATA, EXACT, FORESTS, ON_PRINT, PRINT, claim
from compactml.chapters.pace.claims.printed_checks import WINS
from compactml.chapters.pace.claims.shares import printed_shares
from compactml.chapters.pace.printed import NEAR
from compactml.chapters.pace.rows import ENSEMBLES
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST

ORDER = "order of the sizes"
CERTIFIED = "ours: only certified sizes count"
PROSE = "the prose"

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
            f"Finding any disagreeing point is faster than finding {words} ({what})",
            "geometric mean over datasets and runs above 1",
            PROSE,
            partial(speed.faster, table=table, form=form),
        )
        for table, (what, place) in LOOPS.items()
        for form, words in (
            ("objective", "the one that disagrees most, with the same solver"),
            ("milp", "the one that disagrees most by a mixed-integer program"),
        )
    ),
    *(
        claim(
            f"more-samples-{table}",
            f"E.3, {place}",
            f"Any disagreeing points are needed in greater number than those that disagree most ({what})",
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
            f"Asking for the largest disagreement as well brings no meaningful gain in time ({what})",
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
            f"Asking for the largest disagreement as well needs fewer disagreeing points ({what})",
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
            (
                "ablations",
                "Pace ends with fewer learners than generation alone or pruning alone, in every cell",
                ORDER,
                checks.ablations,
            ),
            (
                "never-larger",
                "Pace nowhere ends with more learners than generation alone or pruning alone",
                ORDER,
                checks.never_larger,
            ),
            (
                "slower",
                "Pace takes more time than generation alone and than pruning alone",
                "order of the times",
                checks.slower,
            ),
            (
                "pruned-sizes",
                "Pruning alone ends with the printed numbers of learners, in the settings that we inferred",
                f"{NEAR} learner",
                checks.pruned_sizes,
            ),
        )
    ),
    claim(
        "generated-table_1",
        "Result 2, Table 1",
        "In most cases all learners that Pace ends with are generated ones (random forests)",
        "half of the cells",
        PROSE,
        partial(checks.all_generated, table="table_1"),
    ),
    claim(
        "generated-table_3",
        "E.1, Table 3",
        "Most of the learners that Pace ends with are generated ones (AdaBoost)",
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
                "Fipe ends with the printed numbers of learners, in the settings that we inferred",
                f"{NEAR} learner",
                checks.fipe_sizes,
            ),
            ("fipe", "Pace nowhere ends with more learners than Fipe", ORDER, checks.no_larger_than_fipe),
            (
                "wins",
                f"Pace ends with fewer learners than Fipe on {WINS[ensemble]} of 11 datasets",
                "at least as many",
                checks.strict_wins,
            ),
        )
    ),
    claim(
        "single-trees",
        "E.2, Table 4",
        "Pace reduces the AdaBoost ensembles of Diabetes, Elec2, Pol and Htru2 to a single tree each",
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
            f"Asking for agreement on part of the space only reduces the ensemble drastically ({what})",
            "half, with generation and without",
            'ours: "drastically" has no number',
            partial(region.relaxing_helps, table=table),
        )
        for table, (what, place) in REGIONS.items()
    ),
    *(
        claim(
            f"half-{table}",
            f"Result 3, {REGIONS[table][1]}",
            f"On the whole space generation leaves about half as many learners as pruning alone ({REGIONS[table][0]})",
            f"at most {region.HALF:g} of the size",
            'ours: "about half"',
            partial(region.half_when_strict, table=table),
        )
        for table in ("fig_3", "fig_6")
    ),
    *(
        claim(
            f"same-{table}",
            f"Result 3, {REGIONS[table][1]}",
            f"On the whole space generation brings hardly anything beside pruning alone ({REGIONS[table][0]})",
            f"{NEAR} learner",
            'ours: "essentially indistinguishable"',
            partial(region.same_when_strict, table=table),
        )
        for table in ("fig_4", "fig_7")
    ),
    *(
        claim(
            f"gap-{table}",
            f"Result 3, {REGIONS[table][1]}",
            f"Generation pays once agreement is asked for on part of the space only ({REGIONS[table][0]})",
            ORDER,
            CERTIFIED,
            partial(region.gap_when_relaxed, table=table),
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
            "The reduced cost of generated learners tends to 0",
            f"{speed.VANISHED:g} of the first one",
            'ours: "converges"',
            speed.reduced_cost_vanishes,
        ),
        (
            "lp-value",
            "The value of the linear program (P1) decreases as learners are generated",
            "last below first",
            PROSE,
            speed.value_falls,
        ),
        (
            "first-samples",
            "Most separating samples are found before the first learner is generated",
            "half",
            PROSE,
            speed.first_samples,
        ),
        (
            "linear-samples",
            "Separating samples then grow roughly linearly with the learners",
            f"R² of at least {speed.LINEAR:g}",
            'ours: "roughly"',
            partial(speed.linear_growth, measure="n_samples"),
        ),
        (
            "linear-problems",
            "Separation problems then grow roughly linearly with the learners",
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
        "The classes of the 11 datasets have the printed shares",
        EXACT,
        "the printed digits",
        printed_shares,
    ),
)

CLAIMS = (*DATA, *SEPARATION, *SIZES, *CONTROL, *GENERATION, *ON_PRINT, *ERRATA, *FINDINGS)
