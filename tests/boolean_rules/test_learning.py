"""Learning to proved optimality against all rule sets of tiny instances, and the oracles of the paper's master."""

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from compactml.boolean_rules.column_generation import ColumnGeneration
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learning import PRICINGS, learn
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.local_search import relearn, simplify
from compactml.boolean_rules.master import Master
from compactml.boolean_rules.pricing import branch_and_bound
from compactml.boolean_rules.pricing.branch_and_bound import BranchAndBoundPricing
from compactml.boolean_rules.pricing.priced import Priced
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock
from compactml.datasets.generators import tic_tac_toe_endgames
from compactml.errors import InvalidParameterError
from compactml.watch import EndedEarlyWarning
from tests.boolean_rules.endings import ended_early

Z_MIP = dict(zip(range(2, 11), [2, 2, 2, 1, 1, 1, 1, 0, 0], strict=True))
Z_MLP = dict(zip(range(2, 11), [2, 1.5, 1.25, 1, 0.75, 0.5, 0.25, 0, 0], strict=True))
CLAUSES = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


def oracle_1() -> Instance:
    codes = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
    return Instance.from_codes(codes, np.arange(7) < 3, Literals.binary(("a", "b", "c")))


def random_instance(seed: int, n: int = 20, d: int = 5) -> Instance:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (n, d))
    return Instance.from_codes(codes, rng.random(n) < 0.5, Literals.binary(tuple(f"x{j}" for j in range(d))))


def best_loss(instance: Instance, complexity: int, size: int) -> int:
    """Smallest loss over all rule sets, by trying them."""
    literals = range(len(instance.literals))
    clauses = [clause for k in range(1, size + 1) for clause in combinations(literals, k)]
    sets = (
        list(chosen)
        for k in range(complexity // 2 + 1)
        for chosen in combinations(clauses, k)
        if sum(1 + len(clause) for clause in chosen) <= complexity
    )
    return min(instance.hamming_loss(chosen) for chosen in sets)


@pytest.mark.parametrize("pricing", PRICINGS)
@pytest.mark.parametrize("complexity", Z_MIP)
def test_oracle_1_and_its_bounds(pricing: str, complexity: int) -> None:
    learned = learn(oracle_1(), complexity, pricing=pricing, time_limit=60)
    assert learned.loss == oracle_1().hamming_loss(list(learned.clauses)) == Z_MIP[complexity]
    assert learned.lower_bound <= Z_MIP[complexity]
    if pricing == "branch_and_bound":
        assert learned.lower_bound == Z_MIP[complexity]
    if pricing == "mip":
        assert learned.lower_bound >= np.ceil(Z_MLP[complexity] - 1e-6)


@pytest.mark.parametrize("complexity", Z_MLP)
def test_the_master_over_all_clauses_has_the_value_of_oracle_1(complexity: int) -> None:
    columns = Columns(oracle_1())
    columns.add(CLAUSES)
    solution = Master(columns, complexity).solve()
    assert solution.value == pytest.approx(Z_MLP[complexity])
    assert solution.weights @ columns.complexities <= complexity + 1e-9
    objective = solution.mu.sum() - complexity * solution.price
    assert objective == pytest.approx(solution.value)


def test_the_growing_dual_master_equals_the_primal_one() -> None:
    instance = random_instance(3, n=40, d=6)
    columns = Columns(instance)
    master, values = Master(columns, 8), []
    for first in range(0, 15, 5):
        columns.add(list(combinations(range(6), 2))[first : first + 5])
        values.append(master.solve().value)
        p = instance.positives[instance.positive_rows]
        covered = columns.coverage().toarray().T
        answer = linprog(
            np.append(p, columns.negatives),
            A_ub=np.vstack([-np.hstack([np.eye(len(p)), covered]), np.append(0 * p, columns.complexities)]),
            b_ub=np.append(-np.ones(len(p)), 8),
        )
        assert values[-1] == pytest.approx(answer.fun)
    assert values == sorted(values, reverse=True)


def test_the_dearest_duals_have_the_largest_price_that_a_value_allows() -> None:
    instance = random_instance(3, n=40, d=6)
    columns = Columns(instance)
    columns.add(combinations(range(6), 2))
    master = Master(columns, 8)
    best, p = master.solve(), instance.positives[instance.positive_rows]
    clauses = np.hstack([columns.coverage().toarray(), -columns.complexities[:, None]])
    for value in (best.value, best.value - 1, best.value / 2):
        answer = linprog(
            np.append(0 * p, -1),
            A_ub=np.vstack([clauses, np.append(-np.ones(len(p)), 8)]),
            b_ub=np.append(columns.negatives, -value),
            bounds=[*((0, most) for most in p), (0, None)],
        )
        found = master.dearest(value)
        assert found is not None
        mu, price = found
        assert price == pytest.approx(-answer.fun)
        assert price >= best.price - 1e-9
        assert mu.sum() - 8 * price >= value - 1e-6
        assert (clauses @ np.append(mu[instance.positive_rows], price) <= columns.negatives + 1e-6).all()
    assert master.dearest(best.value + 1) is None


@pytest.mark.parametrize("seed", range(25))
def test_the_loss_is_the_smallest_and_the_bound_proves_it(seed: int) -> None:
    instance = random_instance(seed)
    complexity = 3 + seed % 6
    size = [None, 1, 2][seed % 3]
    learned = learn(instance, complexity, max_clause_size=size)
    assert learned.loss == best_loss(instance, complexity, size or complexity - 1)
    assert learned.lower_bound == learned.loss == instance.hamming_loss(list(learned.clauses))
    assert sum(1 + len(clause) for clause in learned.clauses) <= complexity
    assert learned.max_clause_size == (size or complexity - 1)


def test_bounds_rise_and_master_values_fall() -> None:
    learned = learn(random_instance(5, n=200, d=12), 10)
    values = [one.master_value for one in learned.history]
    bounds = [one.lower_bound for one in learned.history]
    assert len(values) > 2
    assert np.diff(values).max() <= 1e-7
    assert bounds == sorted(bounds)
    assert bounds[-1] <= learned.loss


def test_without_dearer_literals_the_bound_is_that_of_the_lp() -> None:
    instance = random_instance(7, n=100, d=8)
    bounds = []
    for inflate in (True, False):
        search = Search(instance, 7)
        generation = ColumnGeneration(
            Columns(instance), 8, BranchAndBoundPricing(search), search, inflate=inflate
        )
        generation.run(Clock(None))
        bounds.append(generation.bound.value)
    assert bounds[0] >= bounds[1] == np.ceil(generation.history[-1].master_value - 1e-6)


def test_a_wide_beam_beside_a_long_search_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_and_bound, "CHECKS_OF_A_SHORT_SEARCH", 1)
    monkeypatch.setattr("compactml.boolean_rules.pricing.search.NODES_BETWEEN_CHECKS", 1)
    instance = random_instance(3, n=300, d=40)
    pricing = BranchAndBoundPricing(Search(instance, 9), widths=())
    dear, cheap = (Duals.rounded(instance, 0.9 * instance.positives, price) for price in (12.0, 0.2))
    assert pricing(dear, Clock(None)) == Priced((), 0)
    found = pricing(cheap, Clock(None))
    assert found.at_most is None
    assert len(found.clauses) > 5
    assert all(cheap.f(instance, clause) > 0 for clause in found.clauses)


def test_a_partner_is_learned_for_each_clause_of_the_list() -> None:
    codes = np.random.default_rng(0).integers(0, 2, (400, 12))
    planted = [(0, 1), (2, 3, 4)]
    y = np.any([codes[:, clause].all(axis=1) for clause in planted], axis=0)
    instance = Instance.from_codes(codes, y, Literals.binary(tuple(f"x{j}" for j in range(12))))
    columns, search = Columns(instance), Search(instance, 6)
    columns.add([(7, 8), planted[1]])
    generation = ColumnGeneration(columns, 7, BranchAndBoundPricing(search), search)
    generation.start_anew(Clock(0.0))
    assert generation.rules == [planted[1]]  # no time: the best of the list
    generation.start_anew(Clock(None))
    assert sorted(generation.rules) == planted
    assert generation.loss == 0


def test_tic_tac_toe_needs_complexity_32() -> None:
    data = tic_tac_toe_endgames()
    codes = data.X.apply(lambda column: column.astype("category").cat.codes).to_numpy()
    n = np.full(9, 3, dtype=np.int32)
    a, b = np.repeat(np.arange(9), 3).astype(np.int32), np.tile(np.arange(3), 9).astype(np.int32)
    literals = Literals(a, b, b + 1, np.zeros(27, dtype=bool), a, tuple(map(str, range(27))), n)
    instance = Instance.from_codes(codes, (data.y == "positive").to_numpy(), literals)
    learned = learn(instance, 32)
    assert learned.loss == learned.lower_bound == 0
    assert sorted(len(clause) for clause in learned.clauses) == [3] * 8
    # with one line less complexity no perfect rule set is left
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EndedEarlyWarning)  # a slow machine does not end the proof
        assert learn(instance, 31, time_limit=20).lower_bound > 0


def test_a_stopped_run_reports_only_what_is_proved() -> None:
    instance = random_instance(1, n=400, d=30)
    with ended_early("learn: time_limit=0.3 s"):
        learned = learn(instance, 20, time_limit=0.3)
    assert 0 <= learned.lower_bound <= learned.loss <= instance.n_positives


def test_local_search_never_makes_it_worse_and_simplify_leaves_nothing_superfluous() -> None:
    instance = random_instance(2, n=60, d=8)
    rules = [(0, 1, 2), (3,), (3, 4)]
    assert relearn(Search(instance, 5), rules, 12, Clock(0.0)) == rules  # no time, no change
    better = relearn(Search(instance, 5), rules, 12, Clock(None))
    assert instance.hamming_loss(better) <= instance.hamming_loss(rules)
    assert sum(1 + len(clause) for clause in better) <= 12
    assert relearn(Search(instance, 5), rules, 10**7, Clock(None))  # more room than any clause takes
    simple = simplify(instance, better)
    assert instance.hamming_loss(simple) <= instance.hamming_loss(better)
    for k in range(len(simple)):
        assert instance.hamming_loss(simple[:k] + simple[k + 1 :]) > instance.hamming_loss(simple)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("complexity", 1),
        ("complexity", 2.5),
        ("max_clause_size", 0),
        ("pricing", "magic"),
        ("pricing_time_limit", -1),
        ("time_limit", -1),
        ("gap", 1.0),
        ("solver", "abacus"),
    ],
)
def test_an_argument_outside_its_range_is_named(name: str, value: Any) -> None:
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        learn(oracle_1(), **({"complexity": 5} | {name: value}))
