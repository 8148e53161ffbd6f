"""The coefficients against the formulas (1) and (4), what is dropped and kept, and the paper's data."""

import pickle
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score

from compactml.datasets import available, load
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection import FractionalProgram, NoUsableFeatureError, Preparation, measure

RNG = np.random.default_rng(3)
X = pd.DataFrame(RNG.integers(0, [2, 3, 4, 5], (60, 4)), columns=list("abcd"))
Y = (X["a"] + X["b"] + RNG.integers(0, 2, 60)) % 3
ALL = [list(s) for size in range(1, 5) for s in combinations(range(4), size)]
C = np.array([0, 0, 1, 1])


def best_support(program):
    sets = [
        list(s) for k in range(1, program.n_features + 1) for s in combinations(range(program.n_features), k)
    ]
    return max(sets, key=program.value)


def flip_ascent(program, x):
    """A set that no change of one feature makes better, from the mask x on."""
    while True:
        change = np.where(x, -1, 1)
        f = program.a[x].sum() + program.b[np.ix_(x, x)].sum()
        g = program.c[x].sum() + program.d[np.ix_(x, x)].sum()
        next_f = f + change * (program.a + 2 * program.b @ x) + np.diagonal(program.b)
        next_g = g + change * (program.c + 2 * program.d @ x) + np.diagonal(program.d)
        ratio = np.divide(next_f, next_g, out=np.full(len(x), -np.inf), where=next_g > 1e-9)
        best = np.argmax(ratio)
        if ratio[best] <= f / g + 1e-12:
            return x
        x = np.logical_xor(x, np.arange(len(x)) == best)


def best_by_flips(program):
    """Value and size of the best set of ascents from all features and from each alone."""
    p = program.n_features
    starts = [np.ones(p, dtype=bool), *np.eye(p, dtype=bool)]
    best = max((flip_ascent(program, x) for x in starts), key=program.value)
    return program.value(best), int(best.sum())


@pytest.mark.parametrize("support", ALL)
def test_mrmr_is_mean_relevance_less_mean_redundancy(support):
    columns = [X.iloc[:, j] for j in support]
    relevance = np.mean([mutual_info_score(f, Y) for f in columns])
    redundancy = np.mean([mutual_info_score(f, g) for f in columns for g in columns])
    assert FractionalProgram.from_mrmr(X, Y, count_own_entropy=True).value(support) == pytest.approx(
        relevance - redundancy, abs=1e-13
    )


@pytest.mark.parametrize(("su", "average", "scale"), [
    ("geometric", "geometric", 1.0), ("usual", "arithmetic", 1.0), ("printed", "arithmetic", 0.5),
])  # fmt: skip
@pytest.mark.parametrize("factor", [2.0, 1.0, 0])
def test_cfs_is_the_ratio_of_the_paper(su, average, scale, factor):
    def uncertainty(f, g):
        return scale * normalized_mutual_info_score(f, g, average_method=average)

    program = FractionalProgram.from_cfs(X, Y, su=su, redundancy_factor=factor)
    for support in ALL:
        columns = [X.iloc[:, j] for j in support]
        above = sum(uncertainty(f, Y) for f in columns) ** 2
        pairs = sum(2 * uncertainty(f, g) for f, g in combinations(columns, 2))
        assert program.value(support) == pytest.approx(above / (len(support) + factor * pairs), abs=1e-13)


def test_the_default_is_what_the_paper_computed():
    default, named = (
        FractionalProgram.from_cfs(X, Y),
        FractionalProgram.from_cfs(X, Y, su="geometric", redundancy_factor=2),
    )
    np.testing.assert_array_equal(default.d, named.d)
    assert default.measure == "cfs"
    assert FractionalProgram.from_mrmr(X, Y, count_own_entropy=True).measure == "mrmr"


def test_constant_columns_are_dropped_and_named():
    table = X.assign(always=7)[["a", "always", "b", "c", "d"]]
    program = FractionalProgram.from_mrmr(table, Y, count_own_entropy=True)
    assert program.names == ("a", "b", "c", "d")
    assert program.features.tolist() == [0, 2, 3, 4]
    assert program.preparation == Preparation(constant=("always",))
    np.testing.assert_array_equal(program.b, FractionalProgram.from_mrmr(X, Y, count_own_entropy=True).b)


def test_a_constant_that_is_kept_hides_a_negative_optimum():
    noise = np.column_stack([np.tile([0, 1], 8), np.repeat([0, 1, 2, 3], 4), np.zeros(16, dtype=int)])
    target = np.repeat([0, 1, 0, 1], [2, 6, 6, 2])
    kept = FractionalProgram.from_mrmr(noise, target, drop_constant=False, count_own_entropy=True)
    assert kept.n_features == 3
    assert kept.value([2]) == 0
    assert best_support(kept) == [2]
    assert (
        FractionalProgram.from_mrmr(noise, target, count_own_entropy=True).value(
            best_support(FractionalProgram.from_mrmr(noise, target, count_own_entropy=True))
        )
        < 0
    )


def test_columns_that_are_all_constant():
    table = np.ones((4, 3))
    with pytest.raises(NoUsableFeatureError, match="got 3 constant ones") as caught:
        measure(table, C)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert (
        FractionalProgram.from_mrmr(table, C, drop_constant=False, count_own_entropy=True).value([0, 1]) == 0
    )
    assert FractionalProgram.from_cfs(table, C, drop_constant=False).value([0, 1]) == 0


def test_equal_columns_are_kept_since_two_copies_can_be_better_than_one():
    table = pd.DataFrame({"class": C, "again": 1 - C, "noise": [0, 1, 0, 1]})
    program = FractionalProgram.from_mrmr(table, C, count_own_entropy=True)
    assert program.preparation.equal == (("class", "again"),)
    assert best_support(program) == [0, 1, 2]
    assert program.value([0, 1, 2]) == pytest.approx(np.log(2) / 9)
    others = [s for k in (1, 2) for s in combinations(range(3), k)]
    assert max(program.value(s) for s in others) <= 1e-15


def test_names_of_values_do_not_matter_and_neither_do_the_labels():
    renamed = X.replace({0: 9, 1: -4})
    for one, other in [
        (
            FractionalProgram.from_mrmr(X, Y, count_own_entropy=True),
            FractionalProgram.from_mrmr(renamed.astype(str), Y.astype(str), count_own_entropy=True),
        ),
        (
            FractionalProgram.from_cfs(X, Y),
            FractionalProgram.from_cfs(renamed, Y.map({0: "c", 1: "a", 2: "b"})),
        ),
    ]:
        np.testing.assert_allclose(one.b, other.b, atol=1e-13)
        np.testing.assert_allclose(one.d, other.d, atol=1e-13)


def test_one_feature_and_a_table_without_names():
    program = FractionalProgram.from_cfs(C[:, None], C)
    assert program.names == ("0",)
    assert program.value([0]) == pytest.approx(1.0)  # SU = 1 with itself


def test_programs_and_measures_pickle():
    measures = measure(X, Y)
    again = pickle.loads(pickle.dumps(measures))
    np.testing.assert_array_equal(again.redundancy, measures.redundancy)
    program = pickle.loads(pickle.dumps(FractionalProgram.from_mrmr(X, Y, count_own_entropy=True)))
    assert program.preparation == Preparation()


@pytest.mark.parametrize(
    ("table", "target", "message"),
    [
        ([[1]], [0], "1 class"),
        (np.ones((1, 2)), [0], "1 class"),
        (X, np.zeros(60), "1 class"),
        (X, Y[:-1], "60 labels, one for each row of X, got 59"),
        (np.empty((0, 2)), [], "values in"),
    ],
)
def test_tables_without_a_comparison_are_refused(table, target, message):
    with pytest.raises(InvalidDataError, match=message):
        measure(table, target)


@pytest.mark.parametrize("factor", [-1.0, np.nan, np.inf, "2", True])
def test_other_factors_are_refused(factor):
    with pytest.raises(InvalidParameterError, match=r"^redundancy_factor: must be"):
        FractionalProgram.from_cfs(X, Y, redundancy_factor=factor)


def letter_with_its_last_column_as_class():
    data = load("letter")
    return data.X.iloc[:, :-1].assign(letter=data.y), data.X.iloc[:, -1]


def plain(key):
    data = load(key)
    return data.X, data.y


@pytest.mark.parametrize(
    ("key", "read", "mrmr", "cfs"),
    [
        ("optdigits", lambda: plain("optdigits"), (0.18833, 32), (0.21338, 23)),
        ("letter", letter_with_its_last_column_as_class, (-0.19125, 14), (0.01659, 3)),
    ],
)
def test_values_and_sizes_printed_in_the_paper(key, read, mrmr, cfs):
    """Sizes of Tables 6 and 7, values to the digits that their gaps imply and that enumeration gave."""
    if not available(key):
        pytest.skip(f"{key}: no file at hand")
    measured = read()
    for program, (value, size) in [
        (FractionalProgram.from_mrmr(*measured, count_own_entropy=True), mrmr),
        (FractionalProgram.from_cfs(*measured), cfs),
    ]:
        found, n_chosen = best_by_flips(program)
        assert found == pytest.approx(value, abs=6e-6)
        assert n_chosen == size


def test_all_genes_of_colon_have_the_value_that_the_paper_starts_from():
    if not available("colon"):
        pytest.skip("colon: no file at hand")
    X, y = plain("colon")
    assert FractionalProgram.from_mrmr(X, y, count_own_entropy=True).value(np.arange(2000)) == pytest.approx(
        -0.1031, abs=5e-5
    )
    assert FractionalProgram.from_cfs(X, y).value(np.arange(2000)) == pytest.approx(0.00423, abs=5e-6)


@pytest.mark.parametrize("support", [[], [False, True], [1.9], [-1], [3], "a"])
def test_what_is_no_set_of_variables_is_refused(support):
    program = FractionalProgram(np.zeros(3), np.eye(3), np.zeros(3), np.ones((3, 3)))
    with pytest.raises(InvalidDataError, match=r"^support: must be"):
        program.value(support)


@pytest.mark.parametrize("a", ["one", ["one"], [1j], [[0.5], [0.5, 1.0]]])
def test_coefficients_that_are_no_numbers_are_refused(a):
    with pytest.raises(InvalidDataError, match=r"^a: must be finite numbers"):
        FractionalProgram(a, [[-1.0]], [1.0], [[1.0]])
