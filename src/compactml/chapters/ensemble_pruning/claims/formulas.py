"""Claims on the formulas of Sections 3 and 4, checked by listing all small cases."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims.common import EXACT
from compactml.chapters.ensemble_pruning.claims.orders import Tables
from compactml.chapters.ensemble_pruning.protocol import SIZES
from compactml.ensemble_pruning._failure_credit import Diversity, failure_credit, pairwise_failure_crediting
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.constraints.diversity import products_above, products_below
from compactml.ensemble_pruning.program.pruning_program import PruningProgram
from compactml.ensemble_pruning.weights import objective_weights
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence

claim = partial(claim, NAME)

LISTED = "all small cases listed"
SIMILAR = 2
"""Times as many that still is a similar number; fewer are in any case."""

POSITIVE: Mapping[str, Callable[[int, int, int, int], bool]] = {
    "(2)": lambda votes, L, t, K: (L + 1) - votes <= (K + 1) * (1 - t),
    "(3)": lambda votes, L, t, K: votes - L <= (K + 1) * t,
}
NEGATIVE: Mapping[str, Callable[[int, int, int, int], bool]] = {
    "(5)": lambda votes, L, t, K: votes - L <= K * (1 - t),
    "(6)": lambda votes, L, t, K: (L + 1) - votes <= K * t,
}
"""Constraints of a positive and of a negative point as they are printed: whether they allow t."""

Instance = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Votes on positive and on negative points, shapes (N_1, K) and (N_0, K)."""
SHAPES = ((2, 2, 2), (3, 1, 1), (2, 3, 1), (2, 1, 3))
"""K, N_1 and N_0 of the instances that are listed."""
REDUNDANT: dict[str, dict[str, object]] = {
    "accuracy": {
        "weights": (1, 1),
        "dropped": ("(3)", "(6)"),
        "which": "constraints (3) and (6) are",
        "them": "them",
    },
    "recall": {"weights": (1, 0), "dropped": ("(3)",), "which": "constraint (3) is", "them": "it"},
}


def optimum(instance: Instance, weights: tuple[int, int], dropped: Collection[str] = ()) -> int:
    """Return the best value of W_T+ T+ + W_T- T- over all sets and thresholds, with some constraints left out.

    Parameters
    ----------
    instance : (ndarray of 0/1, ndarray of 0/1)
    weights : (int, int)
        W_T+ and W_T-; the other two are 0.
    dropped : collection of str
        Of the keys of `POSITIVE` and `NEGATIVE`.
    """
    K = instance[0].shape[1]
    best = []
    for x in product((0, 1), repeat=K):
        for L in range(K + 1):
            values = [
                [
                    weight * t
                    for t in (0, 1)
                    if all(row(int(point @ x), L, t, K) for name, row in rows.items() if name not in dropped)
                ]
                for part, weight, rows in zip(instance, weights, (POSITIVE, NEGATIVE), strict=True)
                for point in part
            ]
            if all(values):
                best.append(sum(map(max, values)))
    return max(best)


def instances() -> Iterator[Instance]:
    """All votes of the shapes that are listed."""
    for K, n1, n0 in SHAPES:
        for votes in product((0, 1), repeat=K * (n1 + n0)):
            matrix = np.array(votes).reshape(n1 + n0, K)
            yield matrix[:n1], matrix[n1:]


@claim(
    "redundant-{key}",
    "Section 3.1",
    tolerance=EXACT,
    why=LISTED,
    basis=Basis.ARITHMETIC,
    over=REDUNDANT,
)
def redundant(tables: Tables, weights: tuple[int, int], dropped: tuple[str, ...]) -> Evidence:
    """With the weights of {key} {which} redundant: without {them} the optimum is the same."""
    cases = list(instances())
    same = [optimum(case, weights) == optimum(case, weights, dropped) for case in cases]
    found = (
        f"the same optimum in {sum(same)} of {len(same)} instances of 2 or 3 classifiers and 2 to 4 points"
    )
    return Evidence.of_statement(all(same), found)


@claim("roles", "Constraints (2), (3)", tolerance=EXACT, why=LISTED, basis=Basis.ERRATUM)
def roles_of_constraints(tables: Tables, K: int = 10) -> Evidence:
    """Constraint (2) makes a positive point a true positive if its votes exceed L, and (3) makes it none otherwise.

    These are two statements, on all numbers of votes and all L.
    """
    cases = list(product(range(K + 1), repeat=2))

    def forces(name: str, value: int, *, above: bool) -> bool:
        row = POSITIVE[name]
        return not any(row(votes, L, 1 - value, K) for votes, L in cases if (votes > L) == above)

    stated = [forces("(2)", 1, above=True), forces("(3)", 0, above=False)]
    exchanged = forces("(3)", 1, above=True) and forces("(2)", 0, above=False)
    return Evidence.of_cells(
        stated,
        f"K = {K}: with 6 votes and L = 5 constraint (2) allows t = 0 "
        f"({POSITIVE['(2)'](6, 5, 0, K)}), with 5 votes constraint (3) allows t = 1 ({POSITIVE['(3)'](5, 5, 1, K)})",
        "the prose exchanges the two constraints; the program is right" if exchanged else "",
    )


@claim("theorem-1", "Theorem 1", tolerance=EXACT, why="in fractions", basis=Basis.ARITHMETIC)
def theorem_1(tables: Tables, most: int = 5) -> Evidence:
    """Maximising the θ-weighted function is the same as maximising balanced accuracy.

    The one is N / (2 N0 N1) times the other, whatever is called right.
    """
    right = []
    for n1, n0 in product(range(1, most + 1), repeat=2):
        weights = objective_weights("balanced_accuracy", np.repeat([True, False], [n1, n0]))
        for true_positives, true_negatives in product(range(n1 + 1), range(n0 + 1)):
            z = weights.true_positive * true_positives + weights.true_negative * true_negatives
            accuracy = (Fraction(true_positives, n1) + Fraction(true_negatives, n0)) / 2
            right.append(Fraction(n1 + n0, 2 * n0 * n1) * z == accuracy)
    found = f"equal for {sum(right)} of {len(right)} confusion matrices, all of up to {most} points of either class"
    return Evidence.of_statement(all(right), found)


def triples(n_points: int = 3) -> Iterator[NDArray[np.bool_]]:
    """All failure patterns of three classifiers, shape (n_points, 3)."""
    for bits in product((False, True), repeat=3 * n_points):
        yield np.array(bits).reshape(n_points, 3)


@claim("credit-example", "Section 4", tolerance=EXACT, why="by the definition", basis=Basis.ARITHMETIC)
def credit_example(tables: Tables, words: tuple[str, str] = ("0011011101", "0110001110")) -> Evidence:
    """The two classifiers of the example have a failure credit of 5/9."""
    credit = failure_credit(np.array([[letter == "1" for letter in word] for word in words]).T)[0, 1]
    ours = Fraction(float(credit)).limit_denominator(1000)
    return Evidence.of_statement(ours == Fraction(5, 9), f"{' and '.join(words)}: {ours}")


@claim("mean-pfc", "Section 4", tolerance="1e-12", why="rounding of doubles", basis=Basis.ARITHMETIC)
def mean_of_pfc(tables: Tables) -> Evidence:
    """The average PFC of the classifiers is the average failure credit of their pairs."""
    right = []
    for patterns in triples():
        credit = failure_credit(patterns)
        of_pairs = np.mean([credit[pair] for pair in combinations(range(3), 2)])
        right.append(abs(pairwise_failure_crediting(credit, np.arange(3)).mean() - of_pairs) <= 1e-12)
    return Evidence.of_statement(
        all(right), f"{sum(right)} of {len(right)} sets of three classifiers on three points"
    )


@claim("gamma-above-tau", "Section 4", tolerance=EXACT, why=LISTED, basis=Basis.ARITHMETIC)
def gamma_above_tau(tables: Tables) -> Evidence:
    """The limit γ on the mean diversity (PFC) must be τ at least, the limit of each classifier: below it says nothing.

    No set that meets τ has a smaller mean, since a mean is at least its least part.
    """
    met = []
    for patterns in triples():
        pfc = pairwise_failure_crediting(failure_credit(patterns), np.arange(3))
        met.append(bool(pfc.mean() >= pfc.min() - 1e-12))
    return Evidence.of_statement(
        all(met),
        f"{sum(met)} of {len(met)} sets of three classifiers on three points",
        by_construction="a mean is at least its least part",
    )


@claim("switched-off", "Section 4", tolerance=EXACT, why=LISTED, basis=Basis.ARITHMETIC)
def switched_off(tables: Tables, largest: int = 8) -> Evidence:
    """The term Kτ(1 - x) lifts the limit τ from a classifier that is not chosen.

    With x = 0 the left side of (18) is 0, and the right side must be no more, whatever the others are.
    """
    sets = [(K, chosen, tau / 10) for K in range(2, largest + 1) for chosen in range(K) for tau in range(11)]
    met = [tau * (chosen - 1) - K * tau <= 0 for K, chosen, tau in sets]
    return Evidence.of_statement(
        all(met),
        f"{sum(met)} of {len(met)} numbers of classifiers, chosen ones and limits",
        by_construction="fewer than K are chosen where one is not",
    )


@claim("pfc-of-zero", "Section 4", tolerance=EXACT, why=LISTED, basis=Basis.ARITHMETIC)
def pfc_of_zero(tables: Tables) -> Evidence:
    """A diversity (PFC) of 0 means: identical to every other classifier, the others identical too."""
    same = []
    for patterns in triples():
        if pairwise_failure_crediting(failure_credit(patterns), np.arange(3))[0] == 0:
            first, *others = patterns.T
            same.append([all((first == one).all() for one in others), bool((others[0] == others[1]).all())])
    right = [all(column) for column in zip(*same, strict=True)]
    return Evidence.of_cells(right, f"{len(same)} sets of three classifiers on three points have one")


def left_of_product(x: tuple[int, ...]) -> tuple[float, float]:
    """Between which values rows (14)-(16) and the bounds (17) leave the y of two classifiers."""
    least, most = 0.0, 1.0
    for row in (products_above(2), *products_below(2)):
        assert row.blocks["y"].toarray().item() == 1
        rest = (row.blocks["x"] @ np.array(x)).item()
        least, most = max(least, np.max(row.lower) - rest), min(most, np.max(row.upper) - rest)
    return least, most


@claim("products", "Section 4", tolerance=EXACT, why=LISTED, basis=Basis.ARITHMETIC)
def products(tables: Tables) -> Evidence:
    """The variables y need not be binary: with binary x the constraints (14)-(17) leave the product alone.

    The constraints are the rows of our program.
    """
    left = {pair: left_of_product(pair) for pair in product((0, 1), repeat=2)}
    right = [least == most == k * l for (k, l), (least, most) in left.items()]  # noqa: E741
    found = "; ".join(f"x = {k}, {l}: {least:g} <= y <= {most:g}" for (k, l), (least, most) in left.items())  # noqa: E741
    return Evidence.of_statement(all(right), found)


@claim(
    "extra-variables",
    "Section 4",
    tolerance="variables: exact; constraints: at most twice as many",
    why='ours: the prose says "similar"',
    basis=Basis.ARITHMETIC,
)
def extra_variables(tables: Tables, K: int = max(SIZES)) -> Evidence:
    """Minimum diversity levels take K (K - 1) / 2 variables more, and a similar number of constraints.

    These are two statements, at the largest K of the paper.
    """
    votes = np.eye(K, dtype=bool)
    y = np.arange(K) < K // 2
    instance = PruningInstance.from_votes(votes, y)
    limits = Diversity(failure_credit(votes == y[:, None]), 0.1, 0.1)
    sizes = [PruningProgram(instance, "plain", diversity=one).problem.matrix.shape for one in (limits, None)]
    (rows, columns), (rows_without, columns_without) = sizes
    variables, constraints = columns - columns_without, rows - rows_without
    return Evidence.of_cells(
        [variables == comb(K, 2), constraints <= SIMILAR * comb(K, 2)],
        f"K = {K}: {variables} variables and {constraints} constraints more",
        f"the constraints are {constraints / comb(K, 2):.1f} times as many: "
        "(14) to (16) are three for each pair",
        doubtful=[False, True],
        doubt="what number is still similar is not said",
    )
