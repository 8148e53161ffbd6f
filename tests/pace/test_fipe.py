from __future__ import annotations

import pytest

from compactml.errors import InvalidParameterError
from compactml.pace._compress import compress
from compactml.pace._fipe import fipe
from compactml.pace.rechecking import recheck
from tests.pace.tiny_samples import tiny_forest


@pytest.mark.parametrize("separation", ["objective", "milp"])
@pytest.mark.parametrize("norm", ["l0", "l1"])
def test_the_baseline_is_faithful_everywhere(norm: str, separation: str) -> None:
    forest, X = tiny_forest(3)
    result = fipe(forest, X, norm=norm, separation=separation)  # type: ignore[arg-type]
    assert result.certificate_.faithful
    assert (result.certificate_.alpha, result.certificate_.beta) == (0, 0)
    assert result.n_generated_ == 0
    checked = recheck(result, forest)
    assert checked.exhaustive
    assert len(checked.disagreements) == 0


def test_l0_is_no_larger_than_l1_and_as_large_as_pruning_only() -> None:
    forest, X = tiny_forest(2)
    sparse = fipe(forest, X)
    assert sparse.n_learners_ <= fipe(forest, X, norm="l1").n_learners_
    assert sparse.n_learners_ == compress(forest, X, generate=False).n_learners_


def test_an_unknown_norm() -> None:
    forest, X = tiny_forest()
    with pytest.raises(InvalidParameterError, match="norm"):
        fipe(forest, X, norm="l2")  # type: ignore[arg-type]
