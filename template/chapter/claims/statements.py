"""Claims on Table 1."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd

from compactml.chapters.sixth_paper import NAME
from compactml.chapters.sixth_paper.datasets import DATASETS
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence, Share

claim = partial(claim, NAME)


@claim("accurate", "Table 1", tolerance="0.9", why="the prose")
def accurate(tables: Mapping[str, pd.DataFrame]) -> Evidence:
    """Forests are right on nine of ten rows of every dataset.

    The mean accuracy of each dataset counts as a cell.
    """
    means = tables["table_1"].set_index("dataset")["value"]
    return Evidence.of_cells(
        means >= 0.9,
        f"at least {means.min():.1%}",
        stated=len(DATASETS),
        coverage=Coverage(Share(len(means), len(DATASETS), "datasets")),
    )
