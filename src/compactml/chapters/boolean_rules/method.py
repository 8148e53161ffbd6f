"""What the first notebook shows of the method: seven rows, iris flowers, tic-tac-toe."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from sklearn.datasets import load_iris

from compactml.boolean_rules import UNIT, BooleanRuleClassifier, Duals, Instance, Literals, learn
from compactml.boolean_rules.certificate import verify_bound
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.master import Master
from compactml.boolean_rules.pricing.integer_program import pricing_program
from compactml.chapters.boolean_rules import figures, loop
from compactml.datasets.generators import tic_tac_toe_endgames
from compactml.solvers import solve
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results
from compactml.watch import recorded

FEATURES = "abc"
ROWS = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
POSITIVE = np.array([True, True, True, False, False, False, False])
CLAUSES = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
PRICED = 6
"""C of the worked column generation."""
FLOWERS = 8
"""C of the flowers."""
IRIS = ["sepal width (cm)", "petal width (cm)"]
SHORT, EXACT = 24, 32
"""C with which tic-tac-toe is learned: not all lines of three fit, and all do."""
SECONDS = {SHORT: 10.0, EXACT: None}
HOLDS = {True: "holds", False: "does not hold", None: "was not decided"}


def example() -> Instance:
    """The seven rows."""
    return Instance.from_codes(ROWS, POSITIVE, Literals.binary(tuple(FEATURES)))


def letters(clause: Sequence[int]) -> str:
    """A clause by its features."""
    return "".join(FEATURES[feature] for feature in clause)


def clauses(results: Results) -> ShownTable:
    """All clauses of the seven rows."""
    covered = [np.all(ROWS[:, list(clause)], axis=1) for clause in CLAUSES]
    table = pd.DataFrame(
        {
            "clause": [letters(clause) for clause in CLAUSES],
            "cost c_k": [1 + len(clause) for clause in CLAUSES],
            "positive rows": [int((rows & POSITIVE).sum()) for rows in covered],
            "negative rows": [int((rows & ~POSITIVE).sum()) for rows in covered],
        }
    )
    return show(table, name="rules_seven_clauses", caption="All clauses of the example and what they cover")


@cache
def optima_by_complexity() -> pd.DataFrame:
    """Optimum of the integer program and of its LP relaxation, and a best rule set, by C."""
    instance = example()
    columns = Columns(instance)
    columns.add(CLAUSES)
    rows = []
    for complexity in range(2, 11):
        learned = learn(instance, complexity, time_limit=None)
        relaxed = Master(columns, complexity).solve().value
        rows.append((complexity, learned.loss, relaxed, " or ".join(map(letters, learned.clauses))))
    return pd.DataFrame(rows, columns=["C", "z_MIP", "z_MLP", "a best rule set"])


def relaxation(results: Results) -> dict[str, float]:
    """Return the optimum of the LP relaxation for the C of the worked column generation."""
    values = optima_by_complexity().set_index("C")["z_MLP"]
    return {"rules_lp_c6": float(values[PRICED])}


def optima(results: Results) -> ShownTable:
    """The optima of the seven rows."""
    return show(
        optima_by_complexity().round(6),
        name="rules_seven_optima",
        caption="Optimum of the integer program and of its LP relaxation",
    )


def bounds_by_complexity(results: Results, width: float) -> Figure:
    """The same as curves."""
    return figures.bounds_by_complexity(optima_by_complexity(), width)


def first_duals(instance: Instance) -> Duals:
    """The duals at the start: every positive row is missed, and complexity has no price."""
    return Duals.rounded(instance, instance.positives.astype(float), 0.0)


def costs_by_clause() -> pd.DataFrame:
    """Reduced costs of the clauses at the start and at the optimum."""
    instance = example()
    last = Duals.rounded(instance, 0.75 * instance.positives.astype(float), 0.25)
    duals = {"at the start": first_duals(instance), f"at the optimum for C = {PRICED}": last}
    costs = {
        name: [-prices.f(instance, clause) / UNIT for clause in CLAUSES] for name, prices in duals.items()
    }
    return pd.DataFrame({"clause": [letters(clause) for clause in CLAUSES], **costs})


def reduced_costs(results: Results) -> ShownTable:
    """The reduced costs of the seven clauses."""
    return show(
        costs_by_clause(),
        name="rules_reduced_costs",
        caption="Reduced costs of the seven clauses at two dual solutions",
    )


def pricing(results: Results) -> dict[str, float | str]:
    """Return the value of the paper's pricing program at the start, and which solver found it."""
    instance = example()
    program = pricing_program(instance, first_duals(instance), max_clause_size=len(FEATURES))
    result = solve(program, solver=results.settings.solver)
    return {
        "rules_pricing_value": float("nan") if result.objective is None else round(result.objective, 9),
        "rules_pricing_choice": str(result.choice),
    }


def flowers() -> tuple[pd.DataFrame, NDArray[np.bool_]]:
    """Two measurements of the iris flowers, and which are versicolor."""
    data = load_iris(as_frame=True)
    return data.data[IRIS], (data.target == 1).to_numpy()


@cache
def flower_rules() -> BooleanRuleClassifier:
    """The rule set of the flowers."""
    return BooleanRuleClassifier(complexity=FLOWERS, time_limit=None).fit(*flowers())


def iris(results: Results) -> dict[str, int]:
    """Return loss and errors of the rule set of the flowers, which is proved best."""
    model = flower_rules()
    return {
        "rules_iris_loss": int(model.objective_),
        "rules_iris_errors": int(model.training_errors_),
    }


def rule_boxes(results: Results, width: float) -> Figure:
    """The clauses of the flowers' rule set as boxes."""
    X, versicolor = flowers()
    return figures.rule_boxes(X, versicolor, flower_rules().rules_.clauses, width)


def column_generation(results: Results, width: float) -> Figure:
    """The loop of column generation on the flowers."""
    X, versicolor = flowers()
    return loop.draw(X, versicolor, loop.generate(X, versicolor, FLOWERS), width)


@cache
def game_rules(complexity: int) -> BooleanRuleClassifier:
    """The rule set of tic-tac-toe of a complexity."""
    boards = tic_tac_toe_endgames()
    model = BooleanRuleClassifier(complexity=complexity, time_limit=SECONDS[complexity])
    with recorded():  # the page says what is proved
        return model.fit(boards.X, boards.y == "positive")


def tic_tac_toe(results: Results) -> dict[str, int | str]:
    """Return what is learned of tic-tac-toe, and how a second program checks the bound of the shorter rule set."""
    exact, short = game_rules(EXACT), game_rules(SHORT)
    boards, learned = tic_tac_toe_endgames(), short.learned_[0]
    codes, literals = short.binarizer_.codes(boards.X), short.binarizer_.literals_
    instance = Instance.from_codes(codes, (boards.y == "positive").to_numpy(), literals)
    bound = learned.bound
    check = verify_bound(instance, bound.duals, SHORT, learned.max_clause_size, bound.at_most)
    return {
        "rules_ttt_clauses": len(exact.rules_),
        "rules_ttt_loss": int(exact.objective_),
        "rules_ttt24_bound": int(bound.value),
        "rules_ttt24_check": HOLDS[check.holds],
    }


def history(results: Results, width: float) -> Figure:
    """Column generation on tic-tac-toe, round by round."""
    runs = {f"C = {complexity}": game_rules(complexity).history_ for complexity in (SHORT, EXACT)}
    return figures.history(runs, width)
