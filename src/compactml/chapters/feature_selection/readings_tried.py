"""The readings of each dataset that are tried: SU formula, class column, identifiers, constants, discretiser."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.datasets import FREQUENCY, INTEGER, LEVELS, MEASURES, WIDTH
from compactml.chapters.feature_selection.protocol import CERTIFIED_LIMIT, QUICK, names
from compactml.chapters.feature_selection.trials.beyond import OURS
from compactml.chapters.feature_selection.trials.readings import READING
from compactml.study.profile import Profile
from compactml.study.trial import Trial

__all__ = ["READINGS", "Reading", "trials"]


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


def trials(profile: Profile) -> list[Trial]:
    """Trials of the table of readings; the formula of SU is nothing to mRMR."""
    return [
        Trial(
            NAME,
            READING.name,
            reading.key,
            method=OURS,
            parameters=(
                ("name", reading.name),
                ("measure", measure),
                ("discretizer", reading.discretizer),
                ("su", reading.su),
                ("drop_constant", reading.drop_constant),
            ),
            time_limit=CERTIFIED_LIMIT[profile],
        )
        for reading in READINGS
        if reading.name in names(profile, QUICK)
        for measure in MEASURES
        if measure == "cfs" or reading.su == "geometric"
    ]
