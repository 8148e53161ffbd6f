"""Pricing on a sample of large data, after section 3 of Dash, Günlük and Wei (2018).

Every call draws a fresh sample: each training sample with a probability that gives about 2000 of them on average, and,
if the pricing problem still has more than about 100,000 non-zeros (occurrences of variables in its constraints), each
literal with a probability that brings them down to that. The clauses found are judged on all data.

A sample taken with probability q stands for 1 / q samples, so lambda is taken q-fold: then f on the sample is q f on
average. The paper does not say how it treats lambda.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.pricing.priced import Priced, Pricing
from compactml.clock import Clock

__all__ = ["SampledPricing", "count_nonzeros"]

N_SAMPLES = 2000
N_NONZEROS = 100_000


class SampledPricing:
    """Another pricing method, applied to a new sample in every call.

    Parameters
    ----------
    instance : Instance
    make_pricing : callable
        Makes the pricing method for a sampled instance.
    random_state : int or numpy.random.Generator
        Seed of the samples.
    n_samples : int, default 2000
        Expected number of training samples drawn.
    n_nonzeros : int, default 100000
        Expected number of non-zeros after drawing literals.
    """

    def __init__(
        self,
        instance: Instance,
        make_pricing: Callable[[Instance], Pricing],
        *,
        random_state: int | np.random.Generator,
        n_samples: int = N_SAMPLES,
        n_nonzeros: int = N_NONZEROS,
    ) -> None:
        self.instance, self.make_pricing = instance, make_pricing
        self.n_samples, self.n_nonzeros = n_samples, n_nonzeros
        self._random = np.random.default_rng(random_state)

    def __call__(self, duals: Duals, clock: Clock) -> Priced:
        """Clauses with f > 0 on all data, the largest f first; ``at_most`` is None."""
        positives, negatives, share = self._draw_samples()
        drawn = np.flatnonzero(positives + negatives)
        literals = self._draw_literals(drawn, (positives * duals.mu)[drawn] > 0, negatives[drawn] > 0)
        if not len(drawn) or not len(literals):
            return Priced((), None)
        sample = _sampled(self.instance, drawn, positives[drawn], negatives[drawn], literals)
        found = self.make_pricing(sample)(self._sampled_duals(sample, drawn, duals, share), clock).clauses
        original = literals[sample.kept]
        clauses = {tuple(int(original[j]) for j in clause) for clause in found}
        value = {clause: duals.f(self.instance, clause) for clause in clauses}
        ranked = sorted((c for c in clauses if value[c] > 0), key=lambda c: (-value[c], c))
        return Priced(tuple(ranked), None)

    def _draw_samples(self) -> tuple[NDArray[np.int64], NDArray[np.int64], float]:
        """Samples drawn of each row, and the probability with which each was."""
        instance = self.instance
        share = min(self.n_samples / int(instance.positives.sum() + instance.negatives.sum()), 1.0)
        positives, negatives = (
            self._random.binomial(p, share) for p in (instance.positives, instance.negatives)
        )
        return positives, negatives, share

    def _draw_literals(
        self, drawn: NDArray[np.intp], positive: NDArray[np.bool_], negative: NDArray[np.bool_]
    ) -> NDArray[np.intp]:
        truth = self.instance.literals.evaluate(self.instance.codes[drawn])
        share = min(self.n_nonzeros / max(count_nonzeros(truth, positive, negative), 1), 1.0)
        return np.flatnonzero(self._random.random(truth.shape[1]) < share)

    def _sampled_duals(self, sample: Instance, drawn: NDArray[np.intp], duals: Duals, share: float) -> Duals:
        """Duals of the sample: every positive sample keeps its mu, and lambda is taken ``share``-fold."""
        row_of = {self.instance.codes[u].tobytes(): u for u in drawn.tolist()}
        rows = np.array([row_of[codes.tobytes()] for codes in sample.codes])
        mu = duals.mu[rows] * sample.positives // np.maximum(self.instance.positives[rows], 1)
        return Duals(mu, round(duals.price * share))


def count_nonzeros(truth: NDArray[np.bool_], positive: NDArray[np.bool_], negative: NDArray[np.bool_]) -> int:
    """Occurrences of variables in the constraints (7)-(9) of the pricing problem.

    Parameters
    ----------
    truth : ndarray of bool, shape (U, d)
        x_ij of the distinct rows.
    positive, negative : ndarray of bool, shape (U,)
        Rows that have constraints (7) and (8).
    """
    n_false = (~truth).sum(axis=1)
    return int(2 * n_false[positive].sum() + (1 + n_false[negative]).sum() + truth.shape[1])


def _sampled(
    instance: Instance,
    rows: NDArray[np.intp],
    positives: NDArray[np.int64],
    negatives: NDArray[np.int64],
    literals: NDArray[np.intp],
) -> Instance:
    """The instance of some rows, with new multiplicities, and some literals."""
    codes = np.repeat(
        np.concatenate([instance.codes[rows]] * 2), np.concatenate([positives, negatives]), axis=0
    )
    labels = np.arange(len(codes)) < positives.sum()
    return Instance.from_codes(codes, labels, _chosen(instance.literals, literals))


def _chosen(literals: Literals, chosen: NDArray[np.intp]) -> Literals:
    return Literals(
        attribute=literals.attribute[chosen],
        lo=literals.lo[chosen],
        hi=literals.hi[chosen],
        complement=literals.complement[chosen],
        group=literals.group[chosen],
        names=tuple(literals.names[j] for j in chosen),
        n_bins=literals.n_bins,
    )
