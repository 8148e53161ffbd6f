"""Evidence for how the paper read its data: SU formula, class column, identifiers, constants, discretiser.

Every reading of a dataset is solved by our method at the paper's tolerance; `evidence`
compares the answers with what the printed numbers imply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from compactml.chapters.feature_selection.datasets import (
    DATASETS,
    FREQUENCY,
    INTEGER,
    LEVELS,
    MEASURES,
    WIDTH,
    measures,
    program,
)
from compactml.chapters.feature_selection.protocol import (
    CERTIFIED_LIMIT,
    QUICK,
    names,
)
from compactml.chapters.feature_selection.trials.beyond import OURS
from compactml.chapters.feature_selection.trials.near import sizes_within
from compactml.chapters.feature_selection.trials.paper import GAP_ABS, GAP_REL, described
from compactml.chapters.feature_selection.trials.scores import set_scores
from compactml.feature_selection.certified.proved_optima import compile_kernels
from compactml.feature_selection.result import Tolerance
from compactml.feature_selection.solving import solve
from compactml.study.profile import Profile
from compactml.study.trial import Result, Trial

TABLES = ("readings",)


@dataclass(frozen=True)
class Reading:
    """One way to read a dataset.

    Attributes
    ----------
    name : str
        Printed name of the dataset.
    key : str
        Registered key or variant: it decides the class column and whether an identifier is a feature.
    discretizer : str
        As in `compactml.chapters.feature_selection.datasets.program`.
    su : {"geometric", "usual", "printed"}
    drop_constant : bool
    """

    name: str
    key: str
    discretizer: str
    su: str = "geometric"
    drop_constant: bool = False


def readings_of(name: str, keys: tuple[str, ...], *discretizers: str) -> list[Reading]:
    """Every key with every discretiser."""
    return [Reading(name, key, discretizer) for key, discretizer in product(keys, discretizers or (LEVELS,))]


def formulas(name: str, key: str) -> list[Reading]:
    """The three formulas of SU."""
    return [Reading(name, key, LEVELS, su) for su in ("geometric", "usual", "printed")]


def with_and_without_constants(name: str, key: str) -> list[Reading]:
    """Constant features kept, and dropped."""
    return [Reading(name, key, LEVELS, drop_constant=drop) for drop in (False, True)]


ALL_FOUR = (LEVELS, INTEGER, WIDTH, FREQUENCY)
READINGS: tuple[Reading, ...] = (
    *readings_of("banknote_auth", ("banknote",), *ALL_FOUR, "equal_width 5"),
    *readings_of(
        "Breast_cancer", ("breast_cancer_ljubljana_last_column_as_class", "breast_cancer_ljubljana")
    ),
    *readings_of("Letter_Recog", ("letter_last_column_as_class", "letter")),
    *readings_of("Zoo", ("zoo",)),
    *formulas("Zoo", "zoo_with_name"),
    *readings_of("Breast_Cancer", ("wdbc_with_id",), *ALL_FOUR),
    *readings_of("Breast_Cancer", ("wdbc",), INTEGER, WIDTH),
    *readings_of("SPECTF_Heart", ("spectf",), LEVELS, WIDTH, FREQUENCY, "equal_width 5"),
    *readings_of("Lung_Cancer", ("lung_cancer_last_column_as_class", "lung_cancer")),
    *with_and_without_constants("Sports_articles", "sports_articles"),
    *readings_of("Connectionist", ("sonar",), *ALL_FOUR),
    *formulas("Optical_Recog", "optdigits_without_constant_pixels"),
    *readings_of("Hill-Valley", ("hill_valley",), *ALL_FOUR, "equal_width 12"),
    *readings_of("Urban_Land", ("urban_land_cover",), *ALL_FOUR),
    *readings_of("Epileptic_Seiz", ("epileptic_seizure",), LEVELS, WIDTH, FREQUENCY),
    *with_and_without_constants("SCADI", "scadi"),
    *readings_of("Semeion_Hand", ("semeion",)),
    *readings_of("USPS", ("usps",), INTEGER, WIDTH, FREQUENCY),
    *formulas("lung_discrete", "lung_discrete"),
    *readings_of("Madelon", ("madelon_training_rows",), LEVELS, WIDTH, FREQUENCY),
    *readings_of("ISOLET", ("isolet",), INTEGER, WIDTH, FREQUENCY),
    *readings_of("Parkinson", ("parkinsons_speech_with_id",), INTEGER, WIDTH, FREQUENCY),
    *readings_of("Parkinson", ("parkinsons_speech",), WIDTH),
    *readings_of("CNAE-9", ("cnae9_last_column_as_class", "cnae9")),
    *readings_of("Yale_32x32", ("yale_32x32",), LEVELS, WIDTH, FREQUENCY),
    *readings_of("ORL_32x32", ("orl_32x32",), LEVELS, WIDTH, FREQUENCY),
    *formulas("colon", "colon"),
    *readings_of("PCMAC", ("pcmac",)),
)
DATA_TYPES = {dataset.name: dataset.data_type for dataset in DATASETS}


def run_reading(trial: Trial) -> Result:
    """Value of all features, the optimum and the sizes near it, and the scores of all features."""
    compile_kernels()
    asked: dict[str, Any] = dict(trial.parameters)
    informed = measures(trial.dataset, asked["discretizer"], drop_constant=asked["drop_constant"])
    own = program(informed, asked["measure"], asked["su"])
    found = solve(own, method=OURS, gap_rel=GAP_REL, gap_abs=GAP_ABS, time_limit=trial.time_limit)
    every = np.arange(own.n_features)
    slack = Tolerance(GAP_REL, GAP_ABS).allows(found.value)
    sizes = sizes_within(own, found.support, found.value - slack)
    return {
        "p": own.n_features,
        "h_ones": own.value(every),
        **described(own, found),
        "sizes": " ".join(map(str, sizes)),
        **set_scores(trial.dataset, own.features, DATA_TYPES[asked["name"]], trial.seed),
    }


RUN: Mapping[str, Callable[[Trial], Result]] = {"reading": run_reading}


def trials(chapter: str, table: str, profile: Profile) -> list[Trial]:
    """Trials of the table of readings; the formula of SU is nothing to mRMR."""
    return [
        Trial(
            chapter,
            "reading",
            one.key,
            method=OURS,
            parameters=(
                ("name", one.name),
                ("measure", measure),
                ("discretizer", one.discretizer),
                ("su", one.su),
                ("drop_constant", one.drop_constant),
            ),
            time_limit=CERTIFIED_LIMIT[profile],
        )
        for one in READINGS
        if one.name in names(profile, QUICK)
        for measure in MEASURES
        if measure == "cfs" or one.su == "geometric"
    ]


P = {dataset.name: dataset.p for dataset in DATASETS}


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    p = P[str(dict(trial.parameters)["name"])]
    return min(trial.time_limit or 0.0, 2.0 + (p / 100) ** 2)
