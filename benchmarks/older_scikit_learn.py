"""Tables 2 and 3 of Nakamura and Sakurada (2022) with scikit-learn 1.1, the line that the paper used (1.1.dev0).

NumPy's AVX-512 code is switched off: its exponential and logarithm differ in the last bit from those of older
processors, which moves splits of boosted trees, and the printed conditions of gradient boosting come out without it.

Runs in an environment of its own (``make bench-peers``), writes ``table_2_scikit_learn_1_1`` and
``table_3_scikit_learn_1_1`` (with 1.1.3; with another release of the line that one's name) to ``data/recorded``. What
the store already has is not run again and is always written along, so that a long run may be cut into parts.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

# compiled code of another numba version must not meet the one beside the sources
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(sys.prefix) / "numba_cache"))
# before NumPy is imported; names that a processor lacks are ignored
os.environ["NPY_DISABLE_CPU_FEATURES"] = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"

import click
import numpy as np
from sklearn.ensemble import _forest

from compactml.chapters.condition_sharing import rows as frames
from compactml.chapters.condition_sharing.datasets import DATASETS, PaperDataset
from compactml.chapters.condition_sharing.plan import CHAPTER, EXPERIMENT
from compactml.chapters.condition_sharing.trials.paper import LEARNERS, N_FOLDS
from compactml.study import Finished, Store, Trial
from compactml.study.recording.recorded import write_recorded
from compactml.study.running import engine

SMALLEST_FIRST = sorted(DATASETS, key=lambda dataset: dataset.n * dataset.d)
RUN_BY_DEFAULT = SMALLEST_FIRST[:-2]  # the two largest take days
RELEASE = version("scikit-learn")
ENDING = "scikit_learn_1_1" + ("" if RELEASE == "1.1.3" else "_" + RELEASE.split(".")[2])


def estimators_samples(forest: Any) -> list[np.ndarray]:
    """Rows that each tree was fitted on; later versions have this property, and draw the same rows."""
    n_drawn = [int(tree.tree_.weighted_n_node_samples[0]) for tree in forest.estimators_]
    return [
        _forest._generate_sample_indices(tree.random_state, n, n)
        for tree, n in zip(forest.estimators_, n_drawn, strict=True)
    ]


def trials(dataset: PaperDataset, learners: tuple[str, ...] = LEARNERS) -> list[Trial]:
    """The trials behind a dataset's rows of both tables."""
    return [
        Trial(CHAPTER, "sharing", dataset.key, method=learner, fold=fold)
        for learner in learners
        for fold in range(N_FOLDS)
    ]


def stored(store: Store) -> list[Finished]:
    """Everything that the store has of both tables under the versions of this environment."""
    wanted = [trial for dataset in DATASETS for trial in trials(dataset)]
    found = engine.plan(EXPERIMENT, wanted, store).stored
    return engine.run(EXPERIMENT, list(found), store=store)


def write(finished: list[Finished]) -> None:
    """Write both recorded tables; a cell needs all folds."""
    for table, frame in (("table_2", frames.table_2(finished)), ("table_3", frames.table_3(finished))):
        if frame.empty:
            continue
        lacking = [dataset.name for dataset in DATASETS if dataset.name not in set(frame["dataset"])]
        behind = [one for one in finished if one.trial.method in set(frame["learner"])]
        path = write_recorded(CHAPTER, f"{table}_{ENDING}", frame, behind, partial=lacking)
        click.echo(f"{len(frame)} cells of {table}: {path}")


@click.command()
@click.argument("datasets", nargs=-1, type=click.Choice([dataset.name for dataset in DATASETS]))
@click.option("--learner", "learners", multiple=True, type=click.Choice(LEARNERS), default=LEARNERS)
def main(datasets: tuple[str, ...], learners: tuple[str, ...]) -> None:
    """Run DATASETS (names as in Table 1; by default all at hand but the two largest), smallest first."""
    if not RELEASE.startswith("1.1."):
        raise click.UsageError("needs scikit-learn 1.1: run 'make bench-peers'")
    _forest.BaseForest.estimators_samples_ = property(estimators_samples)
    chosen = [one for one in SMALLEST_FIRST if one.name in datasets] if datasets else RUN_BY_DEFAULT
    with Store() as store:
        for dataset in chosen:
            done = engine.run(EXPERIMENT, trials(dataset, learners), store=store)
            click.echo(f"{dataset.name}: {len(done)} trials", err=True)
        write(stored(store))


if __name__ == "__main__":
    main()
