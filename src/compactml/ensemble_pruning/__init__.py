"""Ensemble pruning by an integer program with diversity constraints (Bastos, Brandão and Valle, INOC 2024)."""

from compactml.compiling import announce
from compactml.ensemble_pruning._failure_credit import (
    Diversity,
    failure_credit,
    failure_patterns,
    pairwise_failure_crediting,
)
from compactml.ensemble_pruning._local_search import Ensemble, local_search
from compactml.ensemble_pruning.averaging.pruning import prune_average
from compactml.ensemble_pruning.averaging.regressor import PrunedEnsembleRegressor
from compactml.ensemble_pruning.averaging.result import AverageResult
from compactml.ensemble_pruning.baselines.methods import (
    BaselineResult,
    backfitting,
    full_ensemble,
    hill_climbing,
    kappa_pruning,
    majority_threshold,
)
from compactml.ensemble_pruning.bounds.asummability import AsummabilityBound, asummability_bound
from compactml.ensemble_pruning.bounds.branching import BranchingBound, branching_bound
from compactml.ensemble_pruning.bounds.isotonic import IsotonicBound, isotonic_bound
from compactml.ensemble_pruning.classifier import PrunedEnsembleClassifier
from compactml.ensemble_pruning.diversity import diversity_limits
from compactml.ensemble_pruning.errors import DiversityInfeasibleError, DiversityUndecidedError
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.plurality.instance import PluralityInstance
from compactml.ensemble_pruning.plurality.pruning import prune_plurality
from compactml.ensemble_pruning.plurality.result import PluralityResult
from compactml.ensemble_pruning.pool.classifier_pool import ClassifierPool
from compactml.ensemble_pruning.program.formulation import Formulation
from compactml.ensemble_pruning.program.pruning_program import PruningProgram
from compactml.ensemble_pruning.pruning import prune
from compactml.ensemble_pruning.result import Progress, PruningResult
from compactml.ensemble_pruning.weights import Weights, objective_weights

__all__ = [
    "AsummabilityBound",
    "AverageResult",
    "BaselineResult",
    "BranchingBound",
    "ClassifierPool",
    "Diversity",
    "DiversityInfeasibleError",
    "DiversityUndecidedError",
    "Ensemble",
    "Formulation",
    "IsotonicBound",
    "PluralityInstance",
    "PluralityResult",
    "Progress",
    "PrunedEnsembleClassifier",
    "PrunedEnsembleRegressor",
    "PruningInstance",
    "PruningProgram",
    "PruningResult",
    "Weights",
    "asummability_bound",
    "backfitting",
    "branching_bound",
    "diversity_limits",
    "failure_credit",
    "failure_patterns",
    "full_ensemble",
    "hill_climbing",
    "isotonic_bound",
    "kappa_pruning",
    "local_search",
    "majority_threshold",
    "objective_weights",
    "pairwise_failure_crediting",
    "prune",
    "prune_average",
    "prune_plurality",
]

announce()
