"""The claims hold on what the paper states and fall when its numbers change."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.sixth_paper.claims.statements import accurate
from compactml.study.judging.verdicts import Verdict


def means(*values: float) -> dict[str, pd.DataFrame]:
    return {"table_1": pd.DataFrame({"dataset": ["iris", "breast cancer"], "value": values})}


def test_accuracy_holds_as_stated_and_falls_with_its_numbers() -> None:
    assert accurate(means(0.95, 0.95)).verdict is Verdict.REPRODUCED
    assert accurate(means(0.95, 0.5)).verdict is Verdict.MIXED
    assert accurate(means(0.5, 0.5)).verdict is Verdict.NOT_REPRODUCED
