"""Sets of distributions that kinds of trials compute with, for the tables that each chapter writes by hand."""

from __future__ import annotations

TREES = "numpy scipy scikit-learn numba"
PROGRAMS = "numpy scipy scikit-learn numba pandas highspy gurobipy cplex pyscipopt"
