"""`BooleanRuleClassifier`: rule sets of bounded complexity, with a proved bound on their training loss."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.classifying.asked import Asked
from compactml.boolean_rules.classifying.fitted import learned_attributes
from compactml.boolean_rules.classifying.predicting import RulePredictor
from compactml.boolean_rules.classifying.preparing import Prepared, prepare
from compactml.boolean_rules.classifying.problems import Early
from compactml.boolean_rules.classifying.ways import AUTO, LIST, ONE_VS_REST, Learned, Ways
from compactml.boolean_rules.classifying.weights import check_costs
from compactml.boolean_rules.generating import Options
from compactml.boolean_rules.learning import check_parameters, check_time_limit
from compactml.clock import Clock
from compactml.errors import check_choice
from compactml.watch import Callback, Watch

__all__ = ["BooleanRuleClassifier"]

AFTER_AN_INTERRUPT = 2.0
"""Seconds for the rules after Ctrl-C in the choice between lists and rules of each class."""


class BooleanRuleClassifier(RulePredictor):
    """Boolean decision rules by column generation (Dash, Günlük and Wei, NeurIPS 2018).

    The rule set minimises the Hamming loss (1), missed positives plus, for each negative, the number of clauses that
    it satisfies, over rule sets of complexity at most C (3). Several classes get an ordered list of rule sets.

    Parameters
    ----------
    complexity : int, default 10
        Number of clauses + number of conditions allowed, at least 2; for each rule set if there are several.
    max_clause_size : int, optional
        Most conditions in a clause, by default complexity - 1.
    form : {"dnf", "cnf"}, default "dnf"
        OR of ANDs, or AND of ORs; the latter is the negation of a DNF for the other class.
    pricing : {"branch_and_bound", "mip", "heuristic", "paper"}, default "branch_and_bound"
        How clauses are generated: our exact search; the paper's integer program and its heuristic, or that one
        alone, with our local search; or the paper's whole procedure, which samples large data.
    time_limit : float or None, default 60.0
        Seconds of the whole call, shared fairly by the rule sets, after compiling at the first use; None for no limit.
        Where it ends the work, a warning has loss, bound and gap.
    gap : float, default 0.0
        Relative gap at which to stop.
    solver : str, default "auto"
        For integer programs, see `compactml.solvers`.
    binarizer : {"deciles"}, DecileBinarizer or None, default "deciles"
        `DecileBinarizer`, one with other parameters (which is cloned), or None if X has 0/1 columns already.
    random_state : int, default 0
        Of the samples of ``pricing="paper"``, and of the rows that ``several_classes="auto"`` holds out.
    pos_label : object, optional
        Of two classes the one that the rules describe, by default the second one.
    class_weight : dict, "balanced" or None, default None
        Factors on the weights of the rows of each class, 1 where none is named.
    error_costs : tuple of two float, optional
        What it costs to miss a row of the class that the rules describe, and for a clause to be true of another row;
        by default 1 and 1.
    forbidden_columns : list of str, optional
        Columns that no condition may use (``x0``, ``x1``, ... where X has no names).
    monotone : dict of str to {1, -1}, optional
        Columns of numbers in which the rules may only become true (1) or false (-1) as they grow; for two classes.
    loss : {"hamming", "zero_one"}, default "hamming"
        What is minimised: the Hamming loss, or the weight of the rows predicted wrongly, which takes longer to prove.
        Take "zero_one" on small tables where clauses overlap and accuracy is what is reported. The next three are for
        two classes, since they speak of the one class that the rules describe.
    max_flagged : float, optional
        Largest share of the training rows that may be predicted as the class that the rules describe, each row counted
        once whatever it weighs: an alert budget.
    equal_opportunity : float, optional
        Largest difference between the true-positive rates of two of the ``groups`` given to `fit`, on training rows
        counted once (Lawless and others, see below); so of false-negative rates, too. Take it where who is missed must
        not depend on the group.
    forced_columns : list of str, optional
        Columns of each of which the rules use at least one condition that matters: without it its clause would be true
        of more training rows. Take it where a person expects to see them.
    several_classes : {"list", "one_vs_rest", "auto"}, default "list"
        Of more than two classes: one list to read from the top, "if these rules then A, else if those then B, else C",
        by rising or by falling weight of the classes, whichever has the smaller loss; or rules of each class against
        all others, of which several or none may be true of a row. The list is shorter and says one thing of each row;
        take the other where each class needs a description that stands by itself. "auto" holds out rows, three times a
        third or once where that is 4,000 or more, for at most two fifths of the time; it takes the list unless the
        other is right on more of them; weights then count for something else than repeated rows.
    verbose : bool, default False
        Print a line at each change of loss or bound, summed over the rule sets.
    callback : callable (News) -> object, optional
        Called at each such change, see `compactml.watch.News`.

    Attributes
    ----------
    classes_ : ndarray
    rules_ : Rules, RuleList or list of Rules
        Readable text; of more than two classes a list in its order, or one for each class.
    objective_ : int or ndarray of int
        Hamming loss on the training data, of each rule set where there are several. Floats where rows have weights.
    lower_bound_ : int or ndarray of int
        Proved: no rule set of this complexity with clauses of at most ``bound_clause_size_`` conditions has a smaller
        loss. In a list each rule set is proved given those before it, on the rows that they leave: its class against
        later ones; nothing is proved of the list as a whole. Weights that are no multiples of a common unit are rounded
        down for the proof, see ``weight_unit_``.
    gap_ : float or ndarray of float
        (objective - lower bound) / objective; 0 says optimal.
    weight_unit_ : float or ndarray of float
        Rows with weights count as multiples of it, rounded down: at least 1/128 of their mean weight, and the largest
        unit that loses .2 % of the whole weight at most. 1 where every row counts once, else equal losses and bounds
        may differ by a rounding error.
    bound_clause_size_ : int
    class_counts_ : ndarray of int
        Training rows of each class.
    history_ : tuple of Round or list of tuple
        For each round of column generation the master's value, the best reduced cost, the bound, the number of columns
        and the seconds.
    training_errors_ : int
        Training rows predicted wrongly.
    learned_ : list of Learned
        What was learned for each rule set, with the duals of the bound (of the Hamming loss without limits only).
    binarizer_ : DecileBinarizer
        As fitted; only if there is one.

    Notes
    -----
    Bounds on equal opportunity as rows of the program are those of C. Lawless, S. Dash, O. Günlük and D. Wei,
    Interpretable and Fair Boolean Rule Sets via Column Generation, Journal of Machine Learning Research 24 (2023).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
    >>> model = BooleanRuleClassifier(9, binarizer=None).fit(X, [1, 1, 1, 0, 0, 0, 0])
    >>> model.objective_, model.lower_bound_
    (0, 0)
    >>> sorted(model.rules_)
    [('x0', 'x1'), ('x0', 'x2'), ('x1', 'x2')]
    """

    def __init__(
        self,
        complexity: int = 10,
        *,
        max_clause_size: int | None = None,
        form: str = "dnf",
        pricing: str = "branch_and_bound",
        time_limit: float | None = 60.0,
        gap: float = 0.0,
        solver: str = "auto",
        binarizer: str | DecileBinarizer | None = "deciles",
        random_state: int = 0,
        pos_label: Any = None,
        class_weight: Any = None,
        error_costs: tuple[float, float] | None = None,
        forbidden_columns: list[str] | None = None,
        monotone: dict[str, int] | None = None,
        loss: str = "hamming",
        max_flagged: float | None = None,
        equal_opportunity: float | None = None,
        forced_columns: list[str] | None = None,
        several_classes: str = LIST,
        verbose: bool = False,
        callback: Callback | None = None,
    ) -> None:
        self.complexity = complexity
        self.max_clause_size = max_clause_size
        self.form = form
        self.pricing = pricing
        self.time_limit = time_limit
        self.gap = gap
        self.solver = solver
        self.binarizer = binarizer
        self.random_state = random_state
        self.pos_label = pos_label
        self.class_weight = class_weight
        self.error_costs = error_costs
        self.forbidden_columns = forbidden_columns
        self.monotone = monotone
        self.loss = loss
        self.max_flagged = max_flagged
        self.equal_opportunity = equal_opportunity
        self.forced_columns = forced_columns
        self.several_classes = several_classes
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Learn the rules.

        Ctrl-C ends the work, and the best rules so far are kept, with the warning of a limit.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)
            Numbers, categories and missing values; only 0 and 1 if ``binarizer`` is None.
        y : array-like, shape (n,)
        sample_weight : array-like of float, shape (n,), optional
            A whole number is as so many equal rows, 0 as none.
        groups : str or array-like, shape (n,), optional
            A column of X, or the group of each row, for ``equal_opportunity``.

        Raises
        ------
        InvalidParameterError
            A parameter outside its range, or limits that no rule set keeps (of ``max_flagged`` the least feasible is
            named) or that none met within the time keeps.
        InvalidDataError
            No rows, one class only, labels that are missing, infinite values, other values than 0 and 1 where they are
            asked for, or weights that are negative or all zero.
        """
        self._check_parameters()
        clock = Clock(self.time_limit)
        watch = Watch.of_fit(self, clock)
        early = self._learn(prepare(self, X, y, sample_weight, groups), clock, watch)
        if early is not None:
            watch.warn(early.value, early.bound, limit=early.cause)
        return self

    def _check_parameters(self) -> None:
        check_parameters(self.complexity, self.max_clause_size, self.pricing, self.gap, self.solver)
        check_choice("form", self.form, ("dnf", "cnf"))
        check_choice("several_classes", self.several_classes, (AUTO, LIST, ONE_VS_REST))
        check_costs(self.error_costs)
        Asked.by(self)
        check_time_limit(self.time_limit)

    def _learn(self, rows: Prepared, clock: Clock, watch: Watch) -> Early | None:
        """Learn from rows that are prepared; what ended it early if anything did."""
        self.classes_, self.class_counts_ = rows.classes, np.bincount(rows.which)
        if rows.binarizer is not None:
            self.binarizer_ = rows.binarizer
        ways, asked, self._ordered = self._ways(rows), Asked.by(self), None
        self._literals = ways.literals
        if len(rows.classes) > 2:
            self._solved, self._ordered, early = self._learn_several(ways, rows, clock, watch)
        elif asked is not None:
            (k,) = rows.positive(self.pos_label)
            self._solved, early = asked.learn(
                rows, k, ways.literals, ways.costs, ways.options, clock, watch, dnf=ways.dnf
            )
        else:
            self._solved, early = ways.against(rows.positive(self.pos_label), rows, clock, watch)
        self.learned_ = [one.learned for one in self._solved]
        self.bound_clause_size_ = self.learned_[0].max_clause_size
        for name, value in learned_attributes(self._solved, rows, self.form, self._ordered).items():
            setattr(self, name, value)
        self.training_errors_ = int((self._predicted(rows.codes) != self.classes_[rows.which]).sum())
        return early

    def _ways(self, rows: Prepared) -> Ways:
        """What learning takes beside the rows."""
        dnf = self.form == "dnf"
        options = Options(
            int(self.complexity),
            self.max_clause_size,
            self.pricing,
            gap=self.gap,
            solver=self.solver,
            random_state=self.random_state,
        )
        literals = rows.literals if dnf else rows.literals.negated()
        return Ways(literals, check_costs(self.error_costs), options, dnf, self.loss == "zero_one")

    def _learn_several(self, ways: Ways, rows: Prepared, clock: Clock, watch: Watch) -> Learned:
        """Rules of more than two classes; an interrupt of the choice leaves seconds for the rules."""
        way, cut = self.several_classes, False
        if way == AUTO:
            way = ways.chosen(rows, clock, watch)
            cut, watch.interrupted = watch.interrupted, False
        solved, ordered, early = ways.learn(
            way, rows, clock.part(AFTER_AN_INTERRUPT) if cut else clock, watch
        )
        if cut:
            watch.interrupted = True
            loss = sum(one.objective for one in solved)
            early = early or Early(loss, sum(one.lower_bound for one in solved), None)
        return solved, ordered, early

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.binarizer is not None
        tags.input_tags.string = self.binarizer is not None
        tags.input_tags.categorical = self.binarizer is not None
        return tags
