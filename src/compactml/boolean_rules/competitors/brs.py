"""Bayesian Rule Sets: the most probable rule set, found by simulated annealing."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from compactml.boolean_rules.competitors.base import Clause, RuleSetClassifier
from compactml.boolean_rules.competitors.mining import candidate_clauses
from compactml.errors import InvalidParameterError, check_finite, check_integer

__all__ = ["BayesianRuleSetClassifier"]

START_TEMPERATURE = 1000.0
ROAMING_SHARE = 0.7
"""After this share of the steps each starts from the best set so far (the authors' code: from one of the best)."""
EXPLORATION = 0.1
"""Chance of a random rule in place of the one of best precision."""


class BayesianRuleSetClassifier(RuleSetClassifier):
    r"""BRS-BetaBinomial of Wang et al. (2017).

    Prior: each of the :math:`|A_l|` clauses of length l is in the set with a probability drawn from
    :math:`Beta(\alpha_l, \beta_l)`, :math:`\alpha_l = 1`, :math:`\beta_l = \kappa |A_l|`. Likelihood: a row that the
    set covers is positive with a probability drawn from :math:`Beta(\alpha_+, \beta_+)`, any other is negative
    with one from :math:`Beta(\alpha_-, \beta_-)`.

    Parameters
    ----------
    kappa : float, default=1.0
        The paper's experiment 2; experiment 1 varies it from 1e-3 to 1e3.
    max_length : int, default=3
        Longest clause.
    min_support : float, default=0.05
        Least share of the positive rows that a candidate clause covers.
    n_candidates : int, default=2000
        Candidate clauses, those of greatest information gain.
    alpha, beta : float, default=100.0 and 1.0
        :math:`\alpha_+ = \alpha_-` and :math:`\beta_+ = \beta_-`.
    n_iterations, n_chains : int, default=5000 and 3
        Steps of a chain of simulated annealing, and chains.
    random_state : int, default=0

    Attributes
    ----------
    log_posterior_ : float
        Logarithm of prior times likelihood of the set found, without the evidence.

    Notes
    -----
    Temperature :math:`T_0^{1 - t/n}`. A step takes a row that the set has wrong; a missed positive asks for a clause
    more or in place of another, a covered negative for one less or in place of another. Not certain: the size of
    A_l (all choices of l columns here), alpha_l, and the values that Dash, Günlük and Wei (2018) took from the code of
    the authors. That code (wangtongada/BOA) gives the probability of the counts, with binomial coefficients, and
    its example has alpha = 500; here it is that of the set and of the labels, as the beta-binomial model says.
    The authors' bounds that shrink the candidates during the search are not used. With ``kappa`` far below 1 the prior
    has a second mode, nearly all clauses of a length, which steps led by errors do not look for.

    References
    ----------
    T. Wang, C. Rudin, F. Doshi-Velez, Y. Liu, E. Klampfl and P. MacNeille, A Bayesian Framework for Learning Rule Sets
    for Interpretable Classification, JMLR 18, 2017, sections 3 and 4.
    """

    def __init__(
        self,
        kappa: float = 1.0,
        max_length: int = 3,
        min_support: float = 0.05,
        n_candidates: int = 2000,
        alpha: float = 100.0,
        beta: float = 1.0,
        n_iterations: int = 5000,
        n_chains: int = 3,
        random_state: int = 0,
    ) -> None:
        self.kappa = kappa
        self.max_length = max_length
        self.min_support = min_support
        self.n_candidates = n_candidates
        self.alpha = alpha
        self.beta = beta
        self.n_iterations = n_iterations
        self.n_chains = n_chains
        self.random_state = random_state

    def _learn(self, X: NDArray[np.bool_], y: NDArray[np.bool_]) -> tuple[Clause, ...]:
        self._check()
        clauses, rows = candidate_clauses(
            X, y, max_length=self.max_length, min_support=self.min_support, n_clauses=self.n_candidates
        )
        lengths = np.array([len(clause) for clause in clauses], dtype=np.intp)
        longest = min(self.max_length, X.shape[1])  # of a longer clause there is none
        pool = np.array([comb(X.shape[1], length) for length in range(1, longest + 1)], dtype=float)
        posterior = _Posterior(y, lengths, pool, float(self.kappa), float(self.alpha), float(self.beta))
        self.log_posterior_, best = posterior(np.zeros(len(y), dtype=np.intp), []), list[int]()
        for chain in range(self.n_chains if clauses else 0):
            rng = np.random.default_rng((self.random_state, chain))
            value, chosen = _anneal(posterior, rows.T.copy(), y, self.n_iterations, rng)
            if value > self.log_posterior_:
                self.log_posterior_, best = value, chosen
        return tuple(clauses[k] for k in sorted(best))

    def _check(self) -> None:
        for name in ("max_length", "n_candidates", "n_iterations", "n_chains"):
            if not isinstance(value := getattr(self, name), int) or value < 1:
                raise InvalidParameterError(name, "an integer of at least 1", value)
        for name in ("kappa", "alpha", "beta"):
            if check_finite(name, getattr(self, name)) <= 0:
                raise InvalidParameterError(name, "a number above 0", getattr(self, name))
        if not 0 <= check_finite("min_support", self.min_support) <= 1:
            raise InvalidParameterError("min_support", "a number in [0, 1]", self.min_support)
        check_integer("random_state", self.random_state, 0)


class _Posterior:
    """Logarithm of prior times likelihood of a set of candidates."""

    def __init__(
        self,
        y: NDArray[np.bool_],
        lengths: NDArray[np.intp],
        pool: NDArray[np.float64],
        kappa: float,
        alpha: float,
        beta: float,
    ) -> None:
        self.y, self.lengths, self.pool = y, lengths, pool
        self.beta_l = kappa * pool
        self.alpha, self.beta = alpha, beta
        self.constant = betaln(1.0, self.beta_l).sum() + 2 * betaln(alpha, beta)

    def __call__(self, times: NDArray[np.intp], chosen: list[int]) -> float:
        """``times``: how many chosen clauses cover each row."""
        used = np.bincount(self.lengths[chosen] - 1, minlength=len(self.pool))
        hit = times > 0
        tp = int((hit & self.y).sum())
        fp = int(hit.sum()) - tp
        fn = int(self.y.sum()) - tp
        tn = len(self.y) - tp - fp - fn
        prior = betaln(used + 1.0, self.pool - used + self.beta_l).sum()
        likelihood = betaln(tp + self.alpha, fp + self.beta) + betaln(tn + self.alpha, fn + self.beta)
        return float(prior + likelihood - self.constant)


def _anneal(
    posterior: _Posterior,
    rows: NDArray[np.bool_],
    y: NDArray[np.bool_],
    n_iterations: int,
    rng: np.random.Generator,
) -> tuple[float, list[int]]:
    """One chain from a random set; the best set seen and its value."""
    chosen = rng.choice(len(rows), size=min(len(rows), int(rng.integers(1, 8))), replace=False).tolist()
    times = rows[chosen].sum(axis=0)
    value = posterior(times, chosen)
    best = value, chosen
    moves = _Moves(rows, y, rng)
    for t in range(n_iterations):
        if t >= ROAMING_SHARE * n_iterations and best[0] > value:
            value, chosen = best
            times = rows[chosen].sum(axis=0)
        proposal, new_times = moves.propose(chosen, times)
        new_value = posterior(new_times, proposal)
        temperature = START_TEMPERATURE ** (1 - t / n_iterations)
        if new_value >= value or rng.random() < np.exp((new_value - value) / temperature):
            chosen, times, value = proposal, new_times, new_value
            if value > best[0]:
                best = value, chosen
    return best


class _Moves:
    """Proposals: clauses added, cut or replaced because of one row that the set has wrong."""

    def __init__(self, rows: NDArray[np.bool_], y: NDArray[np.bool_], rng: np.random.Generator) -> None:
        self.rows, self.y, self.rng = rows, y, rng
        self.packed = _packed(rows)

    def propose(self, chosen: list[int], times: NDArray[np.intp]) -> tuple[list[int], NDArray[np.intp]]:
        wrong = np.flatnonzero((times > 0) != self.y)
        if len(wrong) == 0:
            return self.cut(chosen, times, None)  # nothing is wrong: only a smaller set can be better
        row = int(self.rng.choice(wrong))
        replace = self.rng.random() < 0.5
        if self.y[row]:
            if replace and chosen:
                chosen, times = self.cut(chosen, times, None)
            return self.add(chosen, times, row)
        chosen, times = self.cut(chosen, times, row)
        return self.add(chosen, times, None) if replace else (chosen, times)

    def add(
        self, chosen: list[int], times: NDArray[np.intp], row: int | None
    ) -> tuple[list[int], NDArray[np.intp]]:
        """A clause, one that covers ``row`` if given: the most precise on rows not covered yet, or a random one."""
        possible = np.ones(len(self.rows), dtype=bool) if row is None else self.rows[:, row].copy()
        possible[chosen] = False
        options = np.flatnonzero(possible)
        if len(options) == 0:
            return chosen, times
        if self.rng.random() < EXPLORATION:
            k = int(self.rng.choice(options))
        else:
            part, free = self.packed[options], times == 0
            hits = np.bitwise_count(part & _packed(free)).sum(axis=1, dtype=np.int64)
            right = np.bitwise_count(part & _packed(free & self.y)).sum(axis=1, dtype=np.int64)
            precision = right / (hits + 1)
            k = int(options[self.rng.choice(np.flatnonzero(precision == precision.max()))])
        return [*chosen, k], times + self.rows[k]

    def cut(
        self, chosen: list[int], times: NDArray[np.intp], row: int | None
    ) -> tuple[list[int], NDArray[np.intp]]:
        """One clause less, one that covers ``row`` if given: the least precise for the set, or a random one."""
        options = [k for k in chosen if row is None or self.rows[k, row]]
        if not options:
            return chosen, times
        if self.rng.random() < EXPLORATION:
            k = int(self.rng.choice(options))
        else:
            k = max(options, key=lambda k: _precision(times - self.rows[k] > 0, self.y))
        return [other for other in chosen if other != k], times - self.rows[k]


def _packed(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows along the last axis as bits of 64-bit words: counting bits is several times faster than a matrix product."""
    octets = np.packbits(rows, axis=-1)
    padding = [(0, 0)] * (octets.ndim - 1) + [(0, -octets.shape[-1] % 8)]
    return np.pad(octets, padding).view(np.uint64)


def _precision(hit: NDArray[np.bool_], y: NDArray[np.bool_]) -> float:
    return float((hit & y).sum()) / (float(hit.sum()) + 1)
