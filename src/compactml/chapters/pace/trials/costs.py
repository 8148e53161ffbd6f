"""How long the trials of this chapter take, roughly: it decides their order and the estimate of a dry run."""

from __future__ import annotations

from typing import Any

from compactml.study.trial import Trial

__all__ = ["compression_cost", "dataset_cost", "generation_cost", "opinion_cost", "separation_cost"]

RECHECK_SECONDS_PER_POINT = 4e-5


def _size(trial: Trial) -> float:
    """Learners of the initial ensemble and their depth as one number: 1 for 25 stumps."""
    asked: dict[str, Any] = dict(trial.parameters)
    return float(asked["n_learners"]) / 25 * float(asked["depth"]) ** 2


def dataset_cost(trial: Trial) -> float:
    """Rough seconds of looking at a dataset."""
    return 0.1


def compression_cost(trial: Trial) -> float:
    """Rough seconds of a compression, and of checking it at random points where the trial asks for that."""
    asked: dict[str, Any] = dict(trial.parameters)
    whole_space = asked["beta"] == 0
    checking = 0.0 if whole_space else RECHECK_SECONDS_PER_POINT * float(asked.get("n_points", 0))
    return checking + min(trial.time_limit or 0.0, (0.3 if whole_space else 2.0) * _size(trial))


def opinion_cost(trial: Trial) -> float:
    """Rough seconds of a second opinion: the compression again, and another solver."""
    again = compression_cost(trial)
    return again + min(trial.time_limit or 0.0, 0.5 * again)


def separation_cost(trial: Trial) -> float:
    """Rough seconds of separation until global faithfulness, or on the weights of three rounds."""
    size = _size(trial)
    return min(trial.time_limit or 0.0, 2.0 + size**2 if trial.method == "milp" else 0.1 * size**2)


def generation_cost(trial: Trial) -> float:
    """Rough seconds of a generation phase."""
    return min(trial.time_limit or 0.0, _size(trial))
