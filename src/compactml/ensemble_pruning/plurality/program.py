"""The integer program of a plurality vote.

Columns: x (K), and e (m), 1 for a point that is called wrongly. Each row (d, delta) of a point p becomes

    d.x + M e_p >= delta,    M = delta less the least d.x that the sizes allow,

and the worth of the points with e = 1 is minimised. An error need not be kept from 1, since it costs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.ensemble_pruning._failure_credit import Diversity
from compactml.ensemble_pruning.plurality.instance import PluralityInstance
from compactml.ensemble_pruning.program.constraints import diversity as diverse
from compactml.ensemble_pruning.program.rows import Columns, RowGroup, program
from compactml.solvers import MixedIntegerProgram

__all__ = ["plurality_program", "start_of"]


def plurality_program(
    instance: PluralityInstance, diversity: Diversity, sizes: tuple[int, int], cuts: sparse.csr_array
) -> MixedIntegerProgram:
    """Return the program; its objective is the worth of wrong calls, in units of the instance.

    Parameters
    ----------
    instance : PluralityInstance
    diversity : Diversity
    sizes : (int, int)
    cuts : csr_array of 0/1, shape (c, m)
        Of the points of each row every set calls at least one wrong.
    """
    d = instance.margins.astype(np.float64)
    r, k = d.shape
    least = -np.minimum((instance.margins < 0).sum(axis=1), sizes[1]).astype(np.float64)
    big = sparse.csr_array(
        (instance.deltas - least, (np.arange(r), instance.points)), shape=(r, len(instance.gains))
    )
    groups = [
        RowGroup({"x": sparse.csr_array(d), "e": big}, lower=instance.deltas.astype(np.float64)),
        RowGroup({"e": cuts}, lower=1.0),
        diverse.size(k, *sizes),
    ]
    if diversity.binding:
        groups += diverse.diversity_rows(diversity, compact=True)
    return program(_columns(instance, diversity), groups, {"e": instance.gains}, "min")


def start_of(
    instance: PluralityInstance, diversity: Diversity, selected: NDArray[np.intp]
) -> NDArray[np.float64]:
    """The solution of the program that a set is."""
    x = np.zeros(instance.n_classifiers)
    x[selected] = 1.0
    missed = instance.margins @ x < instance.deltas
    values = {"x": x, "e": np.logical_or.reduceat(missed, instance.first)}
    columns = _columns(instance, diversity)
    if "p" in columns.places:
        values["p"] = x * (diverse.excess(diversity.credit, diversity.mean_pfc) @ x)
    return columns.vector(values)


def _columns(instance: PluralityInstance, diversity: Diversity) -> Columns:
    columns = Columns()
    columns.add("x", instance.n_classifiers)
    columns.add("e", len(instance.gains))
    if diversity.mean_pfc > 0:
        above = diverse.excess(diversity.credit, diversity.mean_pfc)
        columns.add("p", len(above), -diverse.negative(above), diverse.negative(-above), integer=False)
    return columns
