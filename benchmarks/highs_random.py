"""HiGHS, and the other solvers, against enumeration on random programs in the project's shapes.

``python -m benchmarks.highs_random`` solves 8400 programs, each without a start and with one (an optimal point, a
feasible one, a part of one, an infeasible one, in turn), and notes in `highs_random.csv`, by shape and start, the
number of programs, of wrong answers (outcome, or objective by more than 1e-6) and of answers that the verification
refused at first. Another solver is named by ``--solver``. What came out of the 16800 runs of each:

- HiGHS 1.16.0: no wrong answer; 21 of the 8400 with a start refused (6 cover, 14 support, 1 mixed), all right when
  asked again without it. Its presolve carries a start to the reduced program with another objective, and it then
  reports an objective (and a bound) that no point has. 1.13.1 has none of these.
- SCIP 10.0.2, Gurobi 13.0.3 and CPLEX 22.2: no wrong answer and none refused. (Before `cplex_backend` asked once more
  without presolve, 33 of CPLEX's were: right, but with a bound that was off.)
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.random_programs import SHAPES, optimum, solutions
from compactml.errors import CompactmlError
from compactml.solvers import SOLVERS, MixedIntegerProgram, Outcome, SolveOptions, licence, solve

COUNTS = Path(__file__).with_name("highs_random.csv")
STARTS = ("optimal", "feasible", "partial", "infeasible")
EACH = 1200
TOLERANCE = 1e-6


def start_of(
    kind: str, problem: MixedIntegerProgram, best: NDArray[np.float64] | None, rng: np.random.Generator
) -> NDArray[np.float64]:
    """A start of a kind; of a problem without a solution any integer point."""
    anywhere = rng.integers(problem.lower.astype(int), problem.upper.astype(int) + 1).astype(float)
    if best is None or kind == "infeasible":
        return anywhere
    if kind == "feasible":
        found = next(points for points in solutions(problem) if len(points))
        return np.array(found[rng.integers(len(found))])
    start = best.copy()
    if kind == "partial":
        start[rng.random(start.size) < 0.5] = np.nan
    return start


def judge(
    problem: MixedIntegerProgram, value: float | None, solver: str, options: SolveOptions
) -> tuple[bool, bool]:
    """Whether the answer is wrong, and whether one was refused by the verification."""
    try:
        result = solve(problem, solver, options)
    except CompactmlError:
        return False, True
    if value is None:
        return result.outcome is not Outcome.INFEASIBLE, bool(result.failures)
    wrong = result.outcome is not Outcome.OPTIMAL or result.objective is None
    return wrong or abs(result.objective - value) > TOLERANCE * max(1, abs(value)), bool(result.failures)


def counts(solver: str = "highs", each: int = EACH) -> pd.DataFrame:
    """One row for each shape and start."""
    rows = []
    for shape, make in SHAPES.items():
        for number in range(each):
            rng = np.random.default_rng([number, *shape.encode()])
            problem = make(rng)
            best = optimum(problem)
            value, point = (None, None) if best is None else best
            kind = STARTS[number % len(STARTS)]
            for name, start in (("none", None), (kind, start_of(kind, problem, point, rng))):
                wrong, refused = judge(problem, value, solver, SolveOptions(start=start))
                rows.append((shape, name, best is None, wrong, refused))
    frame = pd.DataFrame(rows, columns=["shape", "start", "infeasible", "wrong", "refused"])
    table = frame.groupby(["shape", "start"], sort=False).sum()
    table.insert(0, "programs", frame.groupby(["shape", "start"], sort=False).size())
    found = licence(solver)
    return table.reset_index().assign(solver=f"{found.solver} {found.version}")


def note(table: pd.DataFrame, path: Path = COUNTS) -> None:
    """Write the counts of a solver in the place of earlier ones of the same version."""
    kept = pd.read_csv(path) if path.exists() else table.iloc[:0]
    kept = kept[~kept["solver"].isin(table["solver"])]
    pd.concat([kept, table], ignore_index=True).to_csv(path, index=False)


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solver", default="highs", choices=SOLVERS)
    parser.add_argument("--each", default=EACH, type=int, help="programs of each shape")
    given = parser.parse_args()
    table = counts(given.solver, given.each)
    print(table.to_string(index=False))
    if given.each == EACH:
        note(table)


if __name__ == "__main__":
    main()
