"""What the command line says of a run, before and after it."""

from __future__ import annotations

from collections.abc import Sequence

from compactml.study import Chapter, Finished, Trial
from compactml.study.running import engine

__all__ = ["estimate", "progress_line"]


def progress_line(
    table: str, trials: Sequence[Trial], finished: Sequence[Finished], recorded: int = 0
) -> str:
    """Say what became of a table's trials."""
    stored = sum(item.cached for item in finished) - recorded
    missing = len(trials) - len(finished)
    from_record = f", {recorded} from the record" if recorded else ""
    without_data = f", {missing} without their data" if missing else ""
    return f"{table}: {len(finished)} of {len(trials)} trials, {stored} from the store{from_record}{without_data}"


def estimate(chapter: Chapter, plan: engine.Plan, jobs: int, recorded: Sequence[str] = ()) -> str:
    """Say how many trials a run has and about how long it takes; ``recorded`` says what a record has of them."""
    workers = engine.workers(jobs)
    total = len(plan.keys) + len(plan.not_at_hand) + len(plan.unusable)
    lines = [
        f"{chapter.title}: {total} trials",
        f"  in the store: {len(plan.stored)}",
        *recorded,
        f"  to run: {len(plan.to_run)}, about {_duration(chapter, plan.to_run, workers)} with --jobs {workers}",
    ]
    if plan.not_at_hand:
        names = ", ".join(dict.fromkeys(engine.lacking(chapter, trial) for trial in plan.not_at_hand))
        time = _duration(chapter, plan.not_at_hand, workers)
        lines.append(f"  data not at hand: {len(plan.not_at_hand)}, about {time} once they are ({names})")
    for why in dict.fromkeys(plan.unusable.values()):
        n = sum(one == why for one in plan.unusable.values())
        lines.append(f"  data that are not the registered ones: {n}, which will fail ({why})")
    return "\n".join([*lines, "Times are rough estimates; they do not know this machine."])


def _duration(chapter: Chapter, trials: Sequence[Trial], workers: int) -> str:
    """Estimate the wall-clock time: no run is shorter than its longest trial."""
    costs = [chapter.cost(trial) for trial in trials]
    seconds = max(sum(costs) / workers, max(costs, default=0.0))
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
