"""The negative part of a matrix, whichever way its eigenpairs are computed."""

import numpy as np
import pytest

from compactml.feature_selection.certified.negative_part import NegativePart

N = 40


def matrix(n_negative, seed):
    """A symmetric matrix with known eigenpairs, and its negative part."""
    random = np.random.default_rng(seed)
    vectors = np.linalg.qr(random.standard_normal((N, N)))[0]
    values = random.uniform(0.5, 2.0, N)
    values[:n_negative] *= -1
    negative = vectors[:, :n_negative] * -values[:n_negative] @ vectors[:, :n_negative].T
    return vectors * values @ vectors.T, negative


@pytest.mark.parametrize(("single", "error"), [(False, 1e-12), (True, 1e-5)])
def test_it_is_the_same_in_every_call_and_in_double_precision(single, error):
    """Few negative eigenvalues follow on many and many on few: the number is guessed from the last call."""
    part = NegativePart()
    for seed, n_negative in enumerate((20, 3, 2, 0, 30, 5)):
        whole, expected = matrix(n_negative, seed)
        found = part(whole, single=single)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, expected, atol=error)


def test_single_precision_is_used_when_it_is_asked_for():
    whole, expected = matrix(5, 0)
    assert np.abs(NegativePart()(whole, single=True) - expected).max() > 1e-10


def test_an_asymmetric_matrix_counts_as_its_symmetric_half():
    whole, expected = matrix(5, 1)
    skew = np.triu(np.ones((N, N)), 1)
    np.testing.assert_allclose(NegativePart()(whole + skew - skew.T), expected, atol=1e-12)
