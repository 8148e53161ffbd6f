"""What several kinds of trials start from: the training problem of a whole dataset, and duals for its pricing."""

from __future__ import annotations

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.master import Master
from compactml.boolean_rules.pricing.search import Search
from compactml.chapters.boolean_rules.datasets import problem

__all__ = ["duals_without_beam", "whole_dataset"]

WIDTHS = (8, 64)


def whole_dataset(key: str) -> Instance:
    """The training problem on all rows of a dataset, over its deciles and categories."""
    X, y = problem(key)
    binarizer = DecileBinarizer(missing="above").fit(X)
    return Instance.from_codes(binarizer.codes(X), y, binarizer.literals_)


def duals_without_beam(instance: Instance, complexity: int, search: Search) -> Duals:
    """Duals at which the beam searches find nothing more: those of the first exact call of column generation."""
    columns = Columns(instance)
    master = Master(columns, complexity)
    duals = Duals.rounded(instance, instance.positives.astype(float), 0.0)
    while clauses := next((c for w in WIDTHS if (c := search.beam(duals, width=w).clauses)), None):
        if not columns.add(clauses):
            break
        solution = master.solve()
        duals = Duals.rounded(instance, solution.mu, solution.price)
    return duals
