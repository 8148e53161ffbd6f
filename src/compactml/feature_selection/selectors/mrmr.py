"""`MRMRSelector`: minimal redundancy, maximal relevance."""

from __future__ import annotations

from typing import Any

from compactml.feature_selection.building import Measures
from compactml.feature_selection.discretize import Discretizer
from compactml.feature_selection.greedy import GreedyResult, mrmr_forward
from compactml.feature_selection.program import FractionalProgram, mrmr_program
from compactml.feature_selection.selectors.base import FractionalSelector, Scores
from compactml.feature_selection.selectors.ranking import mrmr_order
from compactml.watch import Callback

__all__ = ["MRMRSelector"]


class MRMRSelector(FractionalSelector):
    """Select the k features with the largest mean relevance less mean redundancy, proved to be the best k.

    Relevance is the mutual information with the target, redundancy that between two different features. Ask for a
    number of features: the value of the best set never grows with k, so ``k=None``, the best of all sizes, is the most
    relevant feature alone. `CFSSelector` weighs sets of different sizes against each other, and was the better one for
    prediction where we compared them.

    Parameters
    ----------
    k : int, "cv" or None, default=None
        Number of features. None takes the best of all sizes, "cv" the smallest one whose cross-validated score is
        within a standard error of the best, see ``largest_k``, ``cv`` and ``estimator``; half of the time may go there.
    count_own_entropy : bool, default=False
        False: the redundancy of a set is the mean over its k (k - 1) ordered pairs of different features, and 0 for one
        feature. The question answered is which k features are best.
        True: as Mehmanchi et al. have it, each feature also counts as redundant with itself, by its entropy. Then
        features that hardly vary look good whatever they say about the target, and ``k=None`` weighs that against
        their number.
    method : str, default="certified"
        A method of `compactml.feature_selection.solve`, or "greedy": forward selection without a bound, of k features
        or, of any number, the best prefix.
    discretizer : str, pair or None, default="auto"
        How columns of numbers become symbols, see `compactml.feature_selection.encode`. "auto" bins those with many
        values, and a missing number is a symbol of its own; None takes numbers as they are and refuses continuous ones.
    target : {"auto", "classes", "numbers"}, default="auto"
        Whether y are class labels or numbers, which are binned, see `compactml.feature_selection.encode_target`.
    gap_rel : float, default=0.01
    gap_abs : float or None, default=None
        The set is called proved, and the search stops, when bound - value is at most ``gap_rel * abs(value)`` or at
        most ``gap_abs``. None takes a thousandth of what the best feature alone says about the target: so a proved set
        is within 1 % of the best one, or within this thousandth where values are near 0. ``gap_rel=1e-6, gap_abs=0``
        waits for the best set itself.
    time_limit : float or None, default=60.0
        Seconds of the whole fit, None for no limit; what compiling takes at the first use does not count. When it ends
        the search, the best set so far is selected, with a warning. When it ends the measures, without which no set
        has a value, the fit raises `TimeLimitTooShortError`.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}, default="auto"
        For the paper's methods.
    largest_k : int, default=20
        With ``k="cv"``: sizes 1, 2, ... up to this one are tried.
    cv : int or splitter, default=5
        With ``k="cv"``: the folds, as scikit-learn's `sklearn.model_selection.check_cv` takes them. A number of folds
        is lowered to the rows of the most frequent class, with a warning.
    estimator : estimator, optional
        With ``k="cv"``: what is fitted to the codes of the selected columns, and whose ``score`` decides. A random
        forest of 20 trees by default.
    verbose : bool, default=False
        Print a line at each change of value or bound.
    callback : callable (News) -> object, optional
        Called at each change of value or bound, see `compactml.watch.News`.

    Attributes
    ----------
    support_ : ndarray of bool, shape (p,)
    scores_ : ndarray of float, shape (p,)
        Relevance of each column, in nats; 0 for a constant one.
    ranking_ : ndarray of int, shape (p,)
        1 for the selected columns; 2, 3, ... for the others in the order in which forward selection would add them to
        these, the constant ones last.
    k_ : int
        Number of selected columns.
    cv_scores_ : ndarray of float, shape (n_folds, largest_k), or None
        Scores with ``k="cv"``; column i belongs to i + 1 features.
    result_ : FractionalResult
        Value, bound, gaps, certificate; its ``support`` numbers the variables of ``program_``.
    program_ : FractionalProgram
        ``program_.features`` are the columns of X that vary, ``program_.preparation`` names the others.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if X had column names.

    References
    ----------
    H. Peng, F. Long and C. Ding, Feature selection based on mutual information, IEEE TPAMI 27, 2005.

    E. Mehmanchi, A. Gómez and O. A. Prokopyev, Solving a class of feature selection problems via fractional 0-1
    programming, Annals of Operations Research, 2021.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = MRMRSelector(4).fit(X, y)
    >>> selector.result_.proved, bool(selector.result_.value <= selector.result_.bound)
    (True, True)
    >>> selector.transform(X).shape
    (569, 4)
    """

    def __init__(
        self,
        k: int | str | None = None,
        *,
        count_own_entropy: bool = False,
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
        self.count_own_entropy = count_own_entropy
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
        # without own entropies no set is better than the best feature alone
        size = 1 if k is None and not self.count_own_entropy else k
        return mrmr_program(measures, size, count_own_entropy=self.count_own_entropy)

    def _forward(self, measures: Measures, program: FractionalProgram, k: int | None) -> GreedyResult:
        return mrmr_forward(measures, program, k=k)

    def _scores(self, measures: Measures) -> Scores:
        return measures.relevance

    def _order(self, measures: Measures, program: FractionalProgram, support: Any) -> Any:
        return mrmr_order(measures, support)

    def _best_alone(self, measures: Measures) -> float:
        return float(measures.relevance.max())

    @property
    def _falls(self) -> bool:
        return not self.count_own_entropy
