"""What a run of the method did, one record per step."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Step"]


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes
    ----------
    phase : {"spare", "generate", "weigh", "prune", "drop", "tree"}
        Learners that the margin of the region makes needless; a new learner; weights of (P1), or of (P0), and the
        separation of them; the best ensemble without some learners; one tree.
    seconds : float
        Since the start.
    n_samples : int
        Size of S after the step.
    n_learners : int
        Learners to choose from.
    n_generated : int
        How many of them were generated.
    size : int
        Learners of positive weight.
    value : float
        v_1 of (P1); for "prune" the objective of (P0), which is the size unless leaves are counted.
    bound : int or None
        Of "prune": proved lower bound on the value of any support whose weights keep a margin of epsilon on S, see
        `compactml.pace.weights.pruning.Pruned`. It speaks of the ``n_learners`` of this step's pool; a later and larger
        pool may have a smaller support (`CompressedEnsemble.bound_` is that of the last pool).
    reduced_cost : float or None
        Of "generate": r of (6) of the new learner, by the duals that priced it.
    exact : bool
        Of "generate": whether ``reduced_cost`` is the smallest of all trees of its depth, so that a value of at least 0
        proves that none of them improves (P1) over S.
    n_new : int
        Separating samples added to S by the step.
    n_solved : int
        Separation problems solved exactly.
    best : int
        Objective of the best certified ensemble so far: it never grows. 0 where none is kept.
    """

    phase: str
    seconds: float
    n_samples: int
    n_learners: int
    n_generated: int
    size: int
    value: float
    bound: int | None = None
    reduced_cost: float | None = None
    exact: bool = False
    n_new: int = 0
    n_solved: int = 0
    best: int = 0
