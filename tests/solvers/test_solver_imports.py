"""Each of these needs an interpreter in which nothing has been imported yet."""

from __future__ import annotations

import subprocess
import sys

import pytest


def fresh(code: str) -> str:
    """Run code in a new interpreter and return what it prints."""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_importing_the_package_imports_no_solver() -> None:
    code = (
        "import sys, compactml.solvers;"
        "print([name for name in ('gurobipy', 'cplex', 'docplex', 'highspy', 'ortools') if name in sys.modules])"
    )
    assert fresh(code) == "[]"


def test_a_forced_solver_imports_no_other() -> None:
    code = (
        "import sys; from compactml.solvers import MixedIntegerProgram, solve;"
        "print(solve(MixedIntegerProgram([1], lower=1), 'highs').objective,"
        "[name for name in ('gurobipy', 'cplex') if name in sys.modules])"
    )
    assert fresh(code) == "1.0 []"


@pytest.mark.parametrize("order", [("highspy", "ortools"), ("ortools", "highspy")])
def test_highs_and_ortools_live_in_one_process(order: tuple[str, str]) -> None:
    """Releases of both that link one shared library of HiGHS cannot (highspy 1.15)."""
    imports = {
        "highspy": "import highspy",
        "ortools": "from ortools.sat.python import cp_model",
    }
    code = ";".join(
        [
            *(imports[name] for name in order),
            "from compactml.solvers import MixedIntegerProgram, solve",
            "before = solve(MixedIntegerProgram([1], lower=1), 'highs').objective",
            "model = cp_model.CpModel()",
            "x = model.new_int_var(2, 5, 'x')",
            "model.minimize(x)",
            "cp = cp_model.CpSolver()",
            "cp.solve(model)",
            "print(before, cp.objective_value, solve(MixedIntegerProgram([1], lower=3), 'highs').objective)",
        ]
    )
    assert fresh(code) == "1.0 2.0 3.0"


def test_no_solver_prints_anything() -> None:
    """CPLEX warns of its licence, and HiGHS 1.16 prints a banner before any option can be set."""
    code = (
        "import compactml.solvers as s; p = s.MixedIntegerProgram([1], lower=1);"
        "[s.solve(p, name) for name in s.usable_solvers()]"
    )
    assert fresh(code) == ""


def test_what_others_print_during_the_banner_is_kept() -> None:
    code = (
        "import os; from compactml.solvers.backends.banner import without_banner\n"
        "print('before', flush=True)\n"
        "with without_banner():\n"
        "    os.write(1, b'Running HiGHS 1.16.0 (git hash: 0)\\n')\n"
        "    print('within', flush=True)\n"
        "print('after')"
    )
    assert fresh(code).split() == ["before", "within", "after"]


def test_threads_that_ask_for_highs_at_once_print_nothing() -> None:
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from compactml.solvers import MixedIntegerProgram, solve\n"
        "def ask(i): return solve(MixedIntegerProgram([1], lower=i), 'highs').objective\n"
        "with ThreadPoolExecutor(4) as pool: found = list(pool.map(ask, range(8)))\n"
        "print(found == list(range(8)))"
    )
    assert fresh(code) == "True"


def test_a_process_without_a_standard_output_solves() -> None:
    code = (
        "import os, sys; os.close(1)\n"
        "from compactml.solvers import MixedIntegerProgram, solve\n"
        "sys.stderr.write(str(solve(MixedIntegerProgram([1], lower=3), 'highs').objective))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stderr == "3.0"
