"""Fractional programs small enough to enumerate: the two worked examples of the paper's specification, random ones."""

from itertools import combinations

import numpy as np

from compactml.feature_selection import FractionalProgram

KINDS = ("mrmr", "cfs", "general")
RELEVANCE = np.array([0.6, 0.5, 0.05])
REDUNDANCY = np.array([[0.7, 0.1, 0.05], [0.1, 0.6, 0.05], [0.05, 0.05, 0.5]])
SU_CLASS = np.array([0.5, 0.4, 0.1])
SU_PAIRS = np.array([[0.0, 0.3, 0.05], [0.3, 0.0, 0.2], [0.05, 0.2, 0.0]])


def mrmr(relevance, redundancy):
    p = len(relevance)
    weights = relevance[:, None] - redundancy
    return FractionalProgram(np.zeros(p), weights, np.zeros(p), np.ones((p, p)), measure="mrmr")


def cfs(su_class, su_pairs):
    p = len(su_class)
    return FractionalProgram(
        np.zeros(p), np.outer(su_class, su_class), np.ones(p), 2 * su_pairs, measure="cfs"
    )


def random_program(kind, seed, p):
    """A program of p features; a general one has signs of all kinds and g > 0 by a positive definite D."""
    rng = np.random.default_rng(seed)
    pairs = rng.random((p, p))
    pairs = (pairs + pairs.T) / 2
    if kind == "mrmr":
        return mrmr(rng.random(p), 0.7 * pairs + np.diag(rng.random(p)))
    if kind == "cfs":
        np.fill_diagonal(pairs, 0.0)
        return cfs(rng.random(p), pairs)
    factor = rng.normal(size=(p, p))
    d = factor @ factor.T / p + 0.1 * np.eye(p)
    return FractionalProgram(rng.normal(size=p), rng.normal(size=(p, p)), 0.5 * rng.random(p), d)


def supports(p, n_features=None):
    """All allowed sets."""
    sizes = range(1, p + 1) if n_features is None else (n_features,)
    return [list(support) for size in sizes for support in combinations(range(p), size)]


def parts(program, support):
    """Numerator f and denominator g of a set, by the definition (5)."""
    x = np.isin(np.arange(program.n_features), support).astype(float)
    return program.a @ x + x @ program.b @ x, program.c @ x + x @ program.d @ x


def optimum(program, n_features=None):
    """The best value over all allowed sets."""
    ratios = (parts(program, support) for support in supports(program.n_features, n_features))
    return max(f / g for f, g in ratios)
