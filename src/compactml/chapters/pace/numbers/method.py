"""The numbers of the first notebook, which its small examples give."""

from __future__ import annotations

from compactml.chapters.pace import examples
from compactml.pace.weights.pruning import EPSILON
from compactml.study.recording.results import Results

__all__ = ["compressed", "fewest", "looped", "separations"]


def separations(results: Results) -> dict[str, int]:
    """Return in how many rows the separation program finds as many points as there are separating cells."""
    answers = examples.separation_answers()
    solved = answers.drop(columns=["kept", "alpha", "by hand"]) != "proved: none"
    return {
        "pace_agree": int((solved.sum(axis="columns") == answers["by hand"]).sum()),
        "pace_asked": len(answers),
    }


def fewest(results: Results) -> dict[str, str]:
    """Return the least margin that counts as positive."""
    return {"pace_least_margin": f"{EPSILON:g}"}


def looped(results: Results) -> dict[str, int]:
    """Return with how many trees the loop on two features of the iris data begins, goes on and ends."""
    rounds = examples.looped_iris().rounds
    return {
        "pace_loop_trees": rounds[0].pool,
        "pace_loop_pool": rounds[-1].pool,
        "pace_loop_left": rounds[-1].used,
        "pace_loop_new": rounds[-1].used_new,
    }


def compressed(results: Results) -> dict[str, int]:
    """Return how many trees of the forest on the iris data are left, and at how many points the small ones differ."""
    example = examples.compressed_iris()
    return {
        "pace_iris_pruned": example.ensembles["pruned"].n_learners_,
        "pace_iris_both": example.ensembles[examples.BOTH].n_learners_,
        "pace_iris_wrong": sum(len(check.disagreements) for check in example.checks.values()),
    }
