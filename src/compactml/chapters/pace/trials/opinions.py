"""Second opinions on ensembles that a table calls smallest, by another solver on (P0) over the final samples.

What is proved is that no support with fewer learners of the pool keeps a margin of epsilon on S, the samples that
separation has found. The run is repeated for its pool and S, and (P0) on these rows is asked as one program. Any finite
part of the region gives a valid lower bound, so a confirmation holds also where the clock led the repeated run to other
rows; a refutation does not, and neither does one whose support has the margin only by the solver's tolerances.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.chapters.pace.trials.costs import opinion_cost
from compactml.chapters.pace.trials.ensembles import trial_setting
from compactml.chapters.pace.trials.paper import COMPRESS, FIPE_KIND, PHASES, PRUNE, warm_up
from compactml.clock import Clock
from compactml.pace.generation import Pricing
from compactml.pace.loop import Compression
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.phases import run_phases
from compactml.pace.separation.emptiness import first_points
from compactml.pace.separation.separator import Separator
from compactml.pace.weights.big_m import LEAST_EPSILON, SCALE, weight_bounds
from compactml.pace.weights.games import best_weights
from compactml.pace.weights.pruning import EPSILON
from compactml.pace.weights.undominated import undominated
from compactml.solvers import (
    MixedIntegerProgram,
    Opinion,
    SolveOptions,
    Stated,
    Verdict,
    candidates,
    opinion_on,
    solve,
)
from compactml.study.chapter import Kind
from compactml.study.running.asking import KIND, not_asked, opinion_trial
from compactml.study.running.opinions import Heard
from compactml.study.trial import Result, Trial

CALLED_OPTIMAL = (COMPRESS.name, FIPE_KIND.name)
PROOFS = ("certified", "proved_l0")
"""Kinds of which a table calls final sizes smallest, and the columns of the result that say so, both by a 1.

Of "compress" only the methods that prune have a bound. "pricing" calls the value of a linear program proved whose
columns are all trees of a depth: no solver takes it. "merge" and "refit" claim no smallest number, "recheck" is a
compression of "compress" looked at again, and "faithful", "engines" and "history" solve inner programs.
"""
LESS_THAN_ONE = 0.99
"""Gap at which a number of learners is proved, with room for the tolerance of the verification."""
OTHER_POOL = "the run again, under its clock, came to another pool of learners"
OTHER_ROWS = "fewer learners would do on the samples of the run again, which the clock made other ones"
TOLERANCES_ONLY = "fewer learners keep the margin only within the solver's tolerances"
TOO_SMALL = "not asked: margins come close to the solvers' tolerances"
NO_TIME = "not asked: the run again has no samples"


def opinion(trial: Trial, result: Result, solver: str | None) -> Trial | None:
    """The trial that asks another solver than ``solver`` about a result; None where no table calls it smallest."""
    if trial.kind not in CALLED_OPTIMAL or any(result.get(column) != 1 for column in PROOFS):
        return None
    asked = {name: result[name] for name in ("pool", "n_samples")}
    return opinion_trial(trial, solver, result["final_size"], bound=result["lower_bound"], **asked)


def run_opinion(trial: Trial) -> Heard:
    """What another solver says of a stated size; the run again and the solver have the trial's time limit each."""
    warm_up()
    asked: dict[str, Any] = dict(trial.parameters)
    samples = repeated(trial)
    if samples is None:
        return not_asked(Verdict.NOT_REFUTED, NO_TIME)
    if len(samples.learners) != asked["pool"]:
        return not_asked(Verdict.NOT_REFUTED, OTHER_POOL)
    clock = Clock(trial.time_limit)
    rows = Rows.of(samples.margins, clock)
    if rows.epsilon < LEAST_EPSILON:
        return not_asked(Verdict.NOT_REFUTED, TOO_SMALL)
    size = int(asked["stated"])
    problem = fewest(rows, size, clock)
    as_stated = np.append(np.zeros(problem.n_columns - 1), 1.0)
    options = SolveOptions(time_limit=clock.allowance(), gap_abs=LESS_THAN_ONE)
    not_by = asked["not_by"] or next(candidates(problem)).solver  # no result names the solver of (P0)
    answer = opinion_on(problem, Stated(size, size, x=as_stated), options=options, not_by=not_by)
    heard = replace(Heard.of(answer), seconds=clock.seconds)
    doubt = None
    if answer.verdict is Verdict.REFUTED:
        doubt = doubts(trial, samples, rows, problem, answer)
    return heard if doubt is None else replace(heard, verdict=str(Verdict.NOT_REFUTED), reason=doubt)


def repeated(trial: Trial) -> FaithfulnessSet | None:
    """Run the steps of `compactml.pace.compress` or `compactml.pace.fipe` again, for the pool and S."""
    asked: dict[str, Any] = dict(trial.parameters)
    fipe = asked["of"] == "fipe"
    generate = PHASES[PRUNE if fipe else trial.method][0]
    clock, setting = Clock(trial.time_limit), trial_setting(trial)
    separator = Separator(
        setting.grid, setting.region, form="objective" if fipe else "auto", random_state=trial.seed
    )
    points = first_points(setting, time_limit=clock.allowance(), random_state=trial.seed)
    if len(points) == 0 or clock.stopped():
        return None
    samples = FaithfulnessSet(setting.region, points)
    run = Compression(setting, samples, separator, clock, random_state=trial.seed)
    how = None
    if generate:
        depth = asked["generated_depth"] or max(1, *(learner.depth for learner in samples.learners))
        how = Pricing(asked["pricing"], depth, len(samples.learners))
    run_phases(run, how, prune=True)
    return samples


@dataclass(frozen=True, eq=False)
class Rows:
    """Margins that matter, the least one that weights with sum 1 must keep, and what that leaves to each weight."""

    margins: NDArray[np.float64]
    epsilon: float

    @classmethod
    def of(cls, margins: NDArray[np.float64], clock: Clock) -> Rows:
        """Rows that no other one makes needless; epsilon is that of `compactml.pace.weights.pruning.Pruner` on them."""
        kept = np.ascontiguousarray(margins[undominated(margins, clock)])
        return cls(kept, min(EPSILON, best_weights(kept, np.arange(kept.shape[1]))[0] / 2))


def fewest(rows: Rows, size: int, clock: Clock) -> MixedIntegerProgram:
    """(P0) of `compactml.pace.weights.big_m` on all rows, with one more choice, that of ``size`` learners as stated.

    So the stated size has a point, whatever its margins, and the optimum is below it where fewer learners will do:

        min  sum_h z_h + size * s
        s.t. A w >= epsilon (1 - s),  sum_h w_h = 1 - s,  0 <= w_h <= M_h z_h,  z, s binary

    Each M_h is the value of a dual solution, so that it holds by arithmetic.
    """
    m, k = rows.margins.shape
    largest = weight_bounds(rows.margins, rows.epsilon, clock)
    matrix = sparse.bmat(
        [
            [SCALE * sparse.csr_array(rows.margins), None, np.full((m, 1), SCALE * rows.epsilon)],
            [np.ones((1, k)), None, np.ones((1, 1))],
            [sparse.eye_array(k), -sparse.diags_array(largest), None],
        ],
        format="csr",
    )
    return MixedIntegerProgram(
        objective=np.concatenate([np.zeros(k), np.ones(k), [size]]),
        matrix=matrix,
        row_lower=np.concatenate([np.full(m, SCALE * rows.epsilon), [1.0], np.full(k, -np.inf)]),
        row_upper=np.concatenate([np.full(m, np.inf), [1.0], np.zeros(k)]),
        upper=np.concatenate([largest, np.ones(k + 1)]),
        integrality=np.concatenate([np.zeros(k, dtype=bool), np.ones(k + 1, dtype=bool)]),
    )


def doubts(
    trial: Trial, samples: FaithfulnessSet, rows: Rows, problem: MixedIntegerProgram, answer: Opinion
) -> str | None:
    """Return why a refutation is none, or None: the solver's support is looked at with our own simplex method."""
    asked: dict[str, Any] = dict(trial.parameters)
    if len(samples) != asked["n_samples"]:
        return OTHER_ROWS
    solver = str(answer.solver).split()[0]
    options = SolveOptions(time_limit=trial.time_limit, target=asked["stated"] - 0.5)
    x = solve(problem, solver, options).x
    k = rows.margins.shape[1]
    support = np.flatnonzero(x[k : 2 * k] > 0.5) if x is not None else np.empty(0, dtype=np.intp)
    enough = 0 < len(support) < asked["stated"] and best_weights(rows.margins, support)[0] >= rows.epsilon
    return None if enough else TOLERANCES_ONLY


OPINION = Kind(KIND, run_opinion, Heard, opinion_cost)
