"""What a run of `compactml.pace.compress` does, and which of its ensembles is the answer."""

from __future__ import annotations

from compactml.pace.generation import Pricing, in_batches, singly
from compactml.pace.improving import improve
from compactml.pace.loop import Compression, Weighed, faithful, states_of

__all__ = ["answer_of", "run_phases"]

FIRST_SHARE = 0.4
"""Part of the time for pruning before learners are generated."""
GENERATION_SHARE = 0.6
"""Part of the time for generation where it comes first and pruning follows."""


def answer_of(run: Compression, how: Pricing | None, prune: bool, uncertified: bool) -> Weighed:
    """Run a compression; return the ensemble of its last step, or the best certified one.

    Parameters
    ----------
    run : Compression
    how : Pricing or None
        None without generation.
    prune : bool
    uncertified : bool
        Whether the answer is that of the last step in any case.
    """
    if run.harvest and prune and not uncertified:
        improve(run, how)
        return run.best, states_of(run.setting, True)
    last = run_phases(run, how, prune)
    if uncertified or (faithful(last[1]) and run.worth(last[0]) <= run.worth(run.setting.initial)):
        return last
    return run.best, states_of(run.setting, True)


def run_phases(run: Compression, how: Pricing | None, prune: bool) -> Weighed:
    """Run the phases in their order: ours where the run harvests samples by local search, else the paper's.

    Parameters
    ----------
    run : Compression
    how : Pricing or None
        None without generation.
    prune : bool
    """
    earlier = None
    if how is not None and run.harvest:
        earlier = run.prune(share=FIRST_SHARE) if prune else None
        in_batches(run, how)
    elif how is not None:
        singly(run, how, run.clock.part(GENERATION_SHARE * run.clock.left) if prune else run.clock)
    return run.prune(earlier) if prune else run.weigh()
