"""The claim on Table 2, the sizes of the datasets."""

from __future__ import annotations

from functools import partial

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims.common import EXACT
from compactml.chapters.ensemble_pruning.claims.orders import Tables
from compactml.chapters.ensemble_pruning.judging import CHOSEN_BY_POINTS, decide_nothing
from compactml.chapters.ensemble_pruning.printed import size_cells
from compactml.chapters.ensemble_pruning.rows import NAMES, dataset_cells
from compactml.study.judging.comparison import same_digits
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence, Share, lacking
from compactml.study.judging.noise import Outcome

claim = partial(claim, NAME)

COUNTED = "print has now all columns of a file, now those without label, names and row number, on some sets one between"


@claim("table-2", "Table 2", tolerance=EXACT, why="the printed digits")
def sizes_of_the_data(tables: Tables) -> Evidence:
    """The nine datasets have the printed numbers of features and of points in the smaller and in the larger class.

    Every printed number of Table 2 but θ, which the errata have. Which class the paper calls positive we infer from
    these sizes, so that decides no cell. What counts as a feature is not said, and two names fit two files each, of
    which the printed number of points says which is meant: these numbers decide nothing.
    """
    ours = dataset_cells(tables["table_2"]).set_index(["dataset", "quantity"])["value"]
    printed = size_cells().set_index(["dataset", "quantity"])["value"]
    printed = printed[printed.index.get_level_values("quantity") != "theta"]
    both = printed.index.intersection(ours.index)
    right = {key: same_digits(float(ours[key]), str(printed[key])) for key in both}
    nothing = decide_nothing(both.to_frame(index=False))
    outcomes = [
        Outcome.INCONCLUSIVE if undecided else Outcome.AGREES if same else Outcome.DIFFERS
        for undecided, same in zip(nothing, right.values(), strict=True)
    ]
    named = ", ".join(f"{name} {quantity}" for (name, quantity), same in right.items() if not same)
    seen = both.get_level_values("dataset").nunique()
    return Evidence.of_outcomes(
        outcomes,
        f"{outcomes.count(Outcome.AGREES)} of {int((~nothing).sum())} numbers that decide something"
        + (f"; other: {named}" if named else ""),
        lacking(seen, len(NAMES)),
        stated=len(printed),
        doubt=f"what counts as a feature is not said: {COUNTED}; the files of {' and '.join(CHOSEN_BY_POINTS)}, of two "
        "that their names fit, were chosen by their printed numbers of points",
        coverage=Coverage(Share(seen, len(NAMES), "datasets")),
    )  # fmt: skip
