"""`CFSSelector`: correlation-based feature selection."""

from __future__ import annotations

from typing import Any

from compactml.feature_selection.building import Measures
from compactml.feature_selection.discretize import Discretizer
from compactml.feature_selection.greedy import GreedyResult, cfs_forward
from compactml.feature_selection.program import FractionalProgram, cfs_program
from compactml.feature_selection.selectors.base import FractionalSelector, Scores
from compactml.feature_selection.selectors.ranking import program_order
from compactml.watch import Callback

__all__ = ["CFSSelector"]


class CFSSelector(FractionalSelector):
    """Select the features with the largest correlation with the target for their correlation with each other.

    Start here, with a number of features: of the selectors that we tried on seven datasets, ``CFSSelector(k)`` left
    most accuracy on average to a classifier trained on its columns. Correlation is symmetrical uncertainty, mutual
    information on a scale that entropies set, so columns with few and with many values compare. With ``k=None`` the
    objective decides on the number.

    Parameters
    ----------
    k : int, "cv" or None, default=None
        Number of features. None takes the best of all sizes, "cv" the smallest one whose cross-validated score is
        within a standard error of the best.
    su : {"geometric", "usual", "printed"}, default="geometric"
        Symmetrical uncertainty, see `compactml.feature_selection.symmetrical_uncertainty`.
    redundancy_factor : float, default=2.0
        Factor of the correlations between features, over ordered pairs; 1 is the square of Hall's merit.
    method, discretizer, target, gap_rel, gap_abs, time_limit, solver, largest_k, cv, estimator, verbose, callback
        As of `MRMRSelector`.

    Attributes
    ----------
    scores_ : ndarray of float, shape (p,)
        Symmetrical uncertainty of each column with the target; 0 for a constant one.
    support_, ranking_, k_, cv_scores_, result_, program_, n_features_in_, feature_names_in_
        As of `MRMRSelector`.

    References
    ----------
    M. A. Hall, Correlation-based feature selection for machine learning, PhD thesis, University of Waikato, 1999.

    E. Mehmanchi, A. Gómez and O. A. Prokopyev, Solving a class of feature selection problems via fractional 0-1
    programming, Annals of Operations Research, 2021.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = CFSSelector(4).fit(X, y)
    >>> len(selector.get_feature_names_out()), selector.result_.proved
    (4, True)
    """

    def __init__(
        self,
        k: int | str | None = None,
        *,
        su: str = "geometric",
        redundancy_factor: float = 2.0,
        method: str = "certified",
        discretizer: Discretizer = "auto",
        target: str = "auto",
        gap_rel: float = 0.01,
        gap_abs: float | None = None,
        time_limit: float | None = 60.0,
        solver: str = "auto",
        largest_k: int = 20,
        cv: Any = 5,
        estimator: Any = None,
        verbose: bool = False,
        callback: Callback | None = None,
    ) -> None:
        self.k = k
        self.su = su
        self.redundancy_factor = redundancy_factor
        self.method = method
        self.discretizer = discretizer
        self.target = target
        self.gap_rel = gap_rel
        self.gap_abs = gap_abs
        self.time_limit = time_limit
        self.solver = solver
        self.largest_k = largest_k
        self.cv = cv
        self.estimator = estimator
        self.verbose = verbose
        self.callback = callback

    def _program(self, measures: Measures, k: int | None) -> FractionalProgram:
        return cfs_program(measures, su=self.su, redundancy_factor=self.redundancy_factor)

    def _forward(self, measures: Measures, program: FractionalProgram, k: int | None) -> GreedyResult:
        return cfs_forward(measures, program, k=k)

    def _scores(self, measures: Measures) -> Scores:
        return measures.uncertainty_with_class(self.su)

    def _order(self, measures: Measures, program: FractionalProgram, support: Any) -> Any:
        return program_order(program, support)

    def _best_alone(self, measures: Measures) -> float:
        return float(self._scores(measures).max() ** 2)

    @property
    def _falls(self) -> bool:
        return False
