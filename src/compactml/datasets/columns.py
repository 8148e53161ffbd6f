"""Column names of the files that come without a header, as the upstream descriptions give them."""

from __future__ import annotations

from itertools import product


def numbered(prefix: str, count: int, start: int = 1) -> tuple[str, ...]:
    """Return ``prefix`` followed by ``start``, ``start + 1``, ... (``count`` names)."""
    return tuple(f"{prefix}{index}" for index in range(start, start + count))


IRIS = ("sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)", "class")

_NUCLEUS = (
    "radius", "texture", "perimeter", "area", "smoothness",
    "compactness", "concavity", "concave points", "symmetry", "fractal dimension",
)  # fmt: skip
WDBC = (
    "id", "diagnosis",
    *(f"mean {name}" for name in _NUCLEUS),
    *(f"{name} error" for name in _NUCLEUS),
    *(f"worst {name}" for name in _NUCLEUS),
)  # fmt: skip

AIRFOIL = (
    "frequency", "angle-of-attack", "chord-length", "free-stream-velocity",
    "suction-side-displacement-thickness", "scaled-sound-pressure",
)  # fmt: skip

MAGIC = (
    "fLength", "fWidth", "fSize", "fConc", "fConc1", "fAsym", "fM3Long", "fM3Trans", "fAlpha", "fDist",
    "class",
)  # fmt: skip

ROBOT = (*numbered("US", 24), "class")
WAVEFORM = (*numbered("x", 40), "class")
MUSK = ("molecule_name", "conformation_name", *numbered("f", 166), "class")
BLOG = (*numbered("attribute", 280), "target")
EPILEPTIC = numbered("X", 178)

ADULT = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country",
    "income",
)  # fmt: skip

BANKNOTE = ("variance", "skewness", "curtosis", "entropy", "class")

BREAST_CANCER_LJUBLJANA = (
    "class", "age", "menopause", "tumor-size", "inv-nodes", "node-caps", "deg-malig", "breast", "breast-quad",
    "irradiat",
)  # fmt: skip

BREAST_CANCER_ORIGINAL = (
    "id", "clump_thickness", "uniformity_of_cell_size", "uniformity_of_cell_shape", "marginal_adhesion",
    "single_epithelial_cell_size", "bare_nuclei", "bland_chromatin", "normal_nucleoli", "mitoses", "class",
)  # fmt: skip

CNAE9 = ("class", *numbered("word", 856))

HEART = (
    "age", "sex", "cp", "trestbps", "chol", "fbs", "restecg", "thalach", "exang", "oldpeak", "slope", "ca",
    "thal",
)  # fmt: skip
HEART_CLEVELAND = (*HEART, "num")
HEART_STATLOG = (*HEART, "class")

ILPD = ("age", "gender", "TB", "DB", "alkphos", "sgpt", "sgot", "TP", "ALB", "A/G ratio", "selector")

IONOSPHERE = (*numbered("attribute", 34), "class")

MESSIDOR = (
    "quality", "pre_screening", *numbered("ma", 6), *numbered("exudate", 8), "macula_opticdisc_distance",
    "opticdisc_diameter", "am_fm_classification", "class",
)  # fmt: skip

LETTER = (
    "lettr", "x-box", "y-box", "width", "high", "onpix", "x-bar", "y-bar", "x2bar", "y2bar", "xybar", "x2ybr",
    "xy2br", "x-ege", "xegvy", "y-ege", "yegvx",
)  # fmt: skip

LUNG_CANCER = ("class", *numbered("attribute", 56))

MUSHROOM = (
    "class", "cap-shape", "cap-surface", "cap-color", "bruises", "odor", "gill-attachment", "gill-spacing",
    "gill-size", "gill-color", "stalk-shape", "stalk-root", "stalk-surface-above-ring",
    "stalk-surface-below-ring", "stalk-color-above-ring", "stalk-color-below-ring", "veil-type", "veil-color",
    "ring-number", "ring-type", "spore-print-color", "population", "habitat",
)  # fmt: skip

OPTDIGITS = (*numbered("pixel", 64), "class")

PIMA = ("preg", "plas", "pres", "skin", "insu", "mass", "pedi", "age", "class")

QSAR = (
    "SpMax_L", "J_Dz(e)", "nHM", "F01[N-N]", "F04[C-N]", "NssssC", "nCb-", "C%", "nCp", "nO", "F03[C-N]",
    "SdssC", "HyWi_B(m)", "LOC", "SM6_L", "F03[C-O]", "Me", "Mi", "nN-N", "nArNO2", "nCRX3", "SpPosA_B(p)",
    "nCIR", "B01[C-Br]", "B03[C-Cl]", "N-073", "SpMax_A", "Psi_i_1d", "B04[C-Br]", "SdO", "TI2_L", "nCrt",
    "C-026", "F02[C-N]", "nHDon", "SpMax_B(m)", "Psi_i_A", "nN", "SM6_B(m)", "nArCOOR", "nX", "class",
)  # fmt: skip

SEEDS = (
    "area", "perimeter", "compactness", "kernel length", "kernel width", "asymmetry coefficient",
    "kernel groove length", "class",
)  # fmt: skip

SEMEION = (*numbered("pixel", 256), *numbered("digit", 10, start=0))

SONAR = (*numbered("attribute", 60), "class")

_SPAM_WORDS = (
    "make address all 3d our over remove internet order mail receive will people report addresses free "
    "business email you credit your font 000 money hp hpl george 650 lab labs telnet 857 data 415 85 "
    "technology 1999 parts pm direct cs meeting original project re edu table conference"
)
SPAMBASE = (
    *(f"word_freq_{word}" for word in _SPAM_WORDS.split()),
    *(f"char_freq_{char}" for char in ";([!$#"),
    "capital_run_length_average", "capital_run_length_longest", "capital_run_length_total", "class",
)  # fmt: skip

SPECTF = ("class", *(f"F{region}{state}" for region, state in product(range(1, 23), "RS")))

_SQUARES = product(("top", "middle", "bottom"), ("left", "middle", "right"))
TIC_TAC_TOE = (*(f"{row}-{column}-square" for row, column in _SQUARES), "class")

ZOO = (
    "animal name", "hair", "feathers", "eggs", "milk", "airborne", "aquatic", "predator", "toothed",
    "backbone", "breathes", "venomous", "fins", "legs", "tail", "domestic", "catsize", "type",
)  # fmt: skip

_POWERS = numbered("P", 16)
WAVE_ENERGY = (*numbered("X", 16), *numbered("Y", 16), *_POWERS, "Powerall")
YEAR = ("year", *numbered("timbre_average", 12), *numbered("timbre_covariance", 78))
HEPMASS = ("label", *numbered("f", 27, start=0), "mass")
