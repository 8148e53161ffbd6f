"""The numbers of the first notebook, which its small examples give."""

from __future__ import annotations

from compactml.chapters.pace import examples, method
from compactml.chapters.pace.counterexamples import new_column
from compactml.forests import average_path_length
from compactml.pace.weights.pruning import EPSILON
from compactml.study.recording.results import Results

__all__ = ["certified", "compressed", "fewest", "master", "path", "separations", "unchanged"]


def separations(results: Results) -> dict[str, int]:
    """Return how many separation problems of three stumps were solved, and in how many rows all cells agree."""
    answers = examples.separation_answers()
    solved = answers.drop(columns=["kept", "alpha", "by hand"]) != "proved: none"
    return {
        "pace_separations": solved.size,
        "pace_agree": int((solved.sum(axis="columns") == answers["by hand"]).sum()),
        "pace_asked": len(answers),
    }


def master(results: Results) -> dict[str, float]:
    """Return what a new learner with negative reduced cost changes on three samples."""
    example = examples.new_learner()
    return {
        "pace_v1": example.before.value,
        "pace_v1_after": example.after.value,
        "pace_r": example.reduced_cost,
        "pace_l0": example.fewest_before,
        "pace_l0_after": example.fewest_after,
    }


def unchanged(results: Results) -> dict[str, float]:
    """Return the example in which a negative reduced cost does not help."""
    example = new_column()
    return {
        "pace_o3_r": example.reduced_cost,
        "pace_o3_before": example.before,
        "pace_o3_after": example.after,
    }


def fewest(results: Results) -> dict[str, str]:
    """Return the least margin that counts as positive."""
    return {"pace_least_margin": f"{EPSILON:g}"}


def path(results: Results) -> dict[str, float]:
    """Return the path length of a leaf at depth 3 with 5 samples, and c(2) by the first line of its formula."""
    depth, n = 3, 5
    return {
        "pace_p": float(depth + average_path_length(n)),
        "pace_c2": float(method.path_lengths([2])["first line of (21)"].iloc[0]),
    }


def compressed(results: Results) -> dict[str, int]:
    """Return how many trees of the forest on the iris data are left."""
    ensembles = examples.compressed_iris().ensembles
    return {
        "pace_iris_pruned": ensembles["pruned"].n_learners_,
        "pace_iris_both": ensembles[examples.BOTH].n_learners_,
    }


def certified(results: Results) -> dict[str, int]:
    """Return at how many points the small ensembles and the forest on the iris data differ."""
    checks = examples.compressed_iris().checks.values()
    return {"pace_iris_wrong": sum(len(check.disagreements) for check in checks)}
