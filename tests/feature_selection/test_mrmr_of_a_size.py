"""mRMR without own entropies: values, proofs and what follows for the best of all sizes."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mutual_info_score

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection import (
    CertificateError,
    FractionalProgram,
    MRMRSelector,
    measure,
    mrmr_forward,
    mrmr_program,
    solve,
    verify,
)

RNG = np.random.default_rng(11)
X = RNG.integers(0, [2, 3, 4, 5, 3, 2], (60, 6))
Y = (X[:, 0] + X[:, 1] + RNG.integers(0, 2, 60)) % 3
P = X.shape[1]


def value(support):
    """Mean relevance less the mean redundancy of pairs of different features, from scikit-learn's estimates."""
    relevance = np.mean([mutual_info_score(X[:, j], Y) for j in support])
    pairs = [mutual_info_score(X[:, i], X[:, j]) for i, j in combinations(support, 2)]
    return relevance - (np.mean(pairs) if pairs else 0.0)


def best(k):
    return max(value(support) for support in combinations(range(P), k))


@pytest.mark.parametrize("k", range(1, P + 1))
def test_the_program_has_the_value_of_the_definition(k):
    program = mrmr_program(measure(X, Y), k)
    assert program.size == k
    for support in combinations(range(P), k):
        assert program.value(support) == pytest.approx(value(support), abs=1e-13)


@pytest.mark.parametrize("k", range(1, P + 1))
@pytest.mark.parametrize("method", ["certified", "newton", "binary_search", "milp1", "milp2"])
def test_each_method_proves_the_best_set_of_a_size(k, method):
    program = mrmr_program(measure(X, Y), k)
    result = solve(program, method=method, gap_rel=0.0, gap_abs=1e-6)
    assert result.proved
    assert len(result.support) == k
    assert result.value == pytest.approx(best(k), abs=1e-6)
    assert result.bound >= best(k) - 1e-7
    if method == "certified":
        assert result.certificate.n_features == k
        assert verify(program, result.certificate) == result.bound


def test_the_best_of_all_sizes_is_the_most_relevant_feature():
    """No set is better than the best of a size less."""
    of_sizes = [best(k) for k in range(1, P + 1)]
    assert of_sizes == sorted(of_sizes, reverse=True)
    fitted = MRMRSelector(gap_rel=0.0, gap_abs=1e-9).fit(X, Y)
    assert fitted.result_.value == pytest.approx(max(of_sizes), abs=1e-12)
    assert verify(fitted.program_, fitted.result_.certificate) == fitted.result_.bound
    assert fitted.support_.tolist() == (fitted.scores_ == fitted.scores_.max()).tolist()


def test_a_rare_flag_does_not_join_what_is_relevant():
    """Own entropies make a column that hardly varies look good; that it says nothing does not matter."""
    rng = np.random.default_rng(0)
    parts = rng.integers(0, 2, (1000, 2))
    seen = np.where(rng.random((1000, 2)) < 0.75, parts, 1 - parts)
    table = pd.DataFrame({"one": seen[:, 0], "other": seen[:, 1], "rare": rng.random(1000) < 0.01})
    y = parts @ [1, 2]
    assert MRMRSelector(2).fit(table, y).get_feature_names_out().tolist() == ["one", "other"]
    assert MRMRSelector().fit(table, y).get_feature_names_out()[0] != "rare"
    paper = MRMRSelector(count_own_entropy=True).fit(table, y)
    assert paper.get_feature_names_out().tolist() == ["rare"]


@pytest.mark.parametrize("seed", range(6))
def test_larger_tables_are_proved_as_enumeration_finds_them(seed):
    rng = np.random.default_rng(seed)
    table, target = rng.integers(0, 3, (40, 13)), rng.integers(0, 2, 40)
    measures = measure(table, target)
    for k in (2, 5, 9):
        program = mrmr_program(measures, k)
        true = max(program.value(support) for support in combinations(range(13), k))
        result = solve(program, gap_rel=0.0, gap_abs=1e-9)
        assert result.value == pytest.approx(true, abs=1e-12)
        assert true <= verify(program, result.certificate) <= true + 1.1e-9


def test_a_program_of_one_size_says_nothing_of_others():
    measures = measure(X, Y)
    program = mrmr_program(measures, 3)
    with pytest.raises(InvalidDataError, match="support: must be a set of 3 features"):
        program.value([0, 1])
    with pytest.raises(InvalidParameterError, match="n_features: must be"):
        solve(program, n_features=2)
    certificate = solve(mrmr_program(measures, 2)).certificate
    with pytest.raises(CertificateError, match="3 features"):
        verify(program, certificate)
    with pytest.raises(InvalidParameterError, match="k: must be"):
        mrmr_forward(measures, program, k=2)
    assert len(mrmr_forward(measures, program).best_prefix) == 3


@pytest.mark.parametrize("k", [None, 0, P + 1, 1.5, True])
def test_a_size_is_needed(k):
    with pytest.raises(InvalidParameterError, match=r"^k: must be"):
        mrmr_program(measure(X, Y), k)
    with pytest.raises(InvalidParameterError, match=r"^k: must be"):
        FractionalProgram.from_mrmr(X, Y, k=k)
