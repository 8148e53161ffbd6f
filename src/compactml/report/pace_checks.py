"""Checks of what Akkerman, Ferry, Guyard and Vidal (2026) state of sizes, on recorded results.

A size counts only where it is certified. The paper's settings are lost, so orders, counts and ratios are compared; the
sizes of pruning alone, from which the settings were inferred, are compared too, and say how well they fit.
"""

from __future__ import annotations

import pandas as pd

from compactml.experiments.pace_ensembles import ADABOOST
from compactml.experiments.pace_trials import FIPE, GENERATE, PACE, PRUNE
from compactml.report.claims import Evidence
from compactml.report.pace_frames import geometric, in_order, sizes_of, stopping_limits
from compactml.report.pace_print_checks import WINS, Tables, against_fipe, holds_if, holds_in, listed, not_run
from compactml.report.pace_printed import printed_sizes

CELL = ["dataset", "n_learners"]
SINGLE_TREES = ("Diabetes", "Elec2", "Htru2", "Pol")
"""AdaBoost ensembles that Pace reduces to one tree, by Section E.2."""
HALF = 0.6
""""About half as many": the ratio that is meant is not said."""
NEAR = 1
"""Learners by which two sizes may differ and still count as reproduced, or as the same."""


def _complete(rows: pd.DataFrame, index: list[str], methods: list[str]) -> pd.DataFrame:
    """Sizes of the rows of the index in which all the methods are certified."""
    return sizes_of(rows, index).reindex(columns=methods).dropna()


def _size(mean: float) -> str:
    """A mean size with a digit behind the point where it has one."""
    return f"{mean:.1f}".removesuffix(".0")


def setting(rows: pd.DataFrame) -> str:
    """Limit, datasets and repetitions behind some rows."""
    n_datasets, n_runs = rows["dataset"].nunique(), rows["seed"].nunique()
    runs = f"{n_datasets} dataset{'s' * (n_datasets > 1)}, {n_runs} run{'s' * (n_runs > 1)}"
    return f"{runs}, limit {stopping_limits(rows)} s, one thread"


def ablations(tables: Tables, table: str) -> Evidence:
    """Pace is smaller than both ablations in every cell."""
    sizes = _complete(tables[table], CELL, [GENERATE, PRUNE, PACE])
    if sizes.empty:
        return not_run("any cell with all three methods")
    least = sizes[[GENERATE, PRUNE]].min(axis="columns")
    smaller, larger = sizes[PACE] < least, sizes[PACE] > least
    found = f"smaller in {int(smaller.sum())} of {len(sizes)} cells, larger in {int(larger.sum())}"
    return holds_in(smaller, found, setting(tables[table]))


def never_larger(tables: Tables, table: str) -> Evidence:
    """Pace is nowhere larger than an ablation."""
    sizes = _complete(tables[table], CELL, [GENERATE, PRUNE, PACE])
    if sizes.empty:
        return not_run("any cell with all three methods")
    right = sizes[PACE] <= sizes[[GENERATE, PRUNE]].min(axis="columns")
    kept = "ours prunes first and keeps that unless a smaller one is certified"
    found = f"{int(right.sum())} of {len(right)} cells; {kept}"
    return holds_in(right, found, setting(tables[table]))


def all_generated(tables: Tables, table: str) -> Evidence:
    """In most cells all learners of Pace's ensemble are generated ones."""
    own = tables[table]
    chosen = own[(own["method"] == PACE) & (own["certified"] == 1)]
    if chosen.empty:
        return not_run(PACE)
    whole = chosen.groupby(CELL)["generated_in_final"].min() == 1
    mean = 100 * chosen["generated_in_final"].mean()
    found = f"all in {int(whole.sum())} of {len(whole)} cells, {mean:.0f} % on average"
    return holds_if(bool(whole.mean() > 0.5), found, setting(own))


def mostly_generated(tables: Tables, table: str) -> Evidence:
    """More than half of the learners of Pace's ensembles are generated, averaged over the cells."""
    own = tables[table]
    shares = own.loc[(own["method"] == PACE) & (own["certified"] == 1), "generated_in_final"]
    if shares.empty:
        return not_run(PACE)
    return holds_if(bool(shares.mean() > 0.5), f"{100 * shares.mean():.0f} % on average", setting(own))


def slower(tables: Tables, table: str) -> Evidence:
    """Pace takes longer than either ablation; two runs at their limit cannot be compared and do not count."""
    own = tables[table]
    groups = own.groupby([*CELL, "method"])
    methods = [GENERATE, PRUNE, PACE]
    seconds, limited = (
        groups[name].mean().unstack("method").reindex(columns=methods)  # noqa: PD010, nothing to add up
        for name in ("seconds", "timed_out")
    )
    both_stopped = (limited[PACE] > 0) & (limited[[GENERATE, PRUNE]] > 0).any(axis="columns")
    complete = seconds[~both_stopped].dropna()
    if complete.empty:
        return not_run("any cell with all three methods")
    right = complete[PACE] > complete[[GENERATE, PRUNE]].max(axis="columns")
    ratio = geometric(complete[PACE] / complete[PRUNE])
    found = f"in {int(right.sum())} of {len(right)} cells; {ratio:.1f} times as long as pruning only (geometric mean)"
    left = f"{int(both_stopped.sum())} more, in which {PACE} and an ablation ran out of time"
    return holds_in(right, found, f"{setting(own)}; without {left}" if both_stopped.any() else setting(own))


def pruned_sizes(tables: Tables, table: str) -> Evidence:
    """Sizes of pruning only, means rounded as in print, are the printed ones, up to one learner."""
    sizes = _complete(tables[table], CELL, [PRUNE])[PRUNE]
    if sizes.empty:
        return not_run(PRUNE)
    printed = printed_sizes(table)[PRUNE].rename_axis(CELL)
    off = (sizes.round() - printed.reindex(sizes.index)).abs()
    by_dataset = (off <= NEAR).groupby(level="dataset").mean()
    near = [name for name in in_order(list(by_dataset.index)) if by_dataset[name] >= 0.5]
    found = (
        f"{int((off <= NEAR).sum())} of {len(off)} certified cells; "
        f"at least half of its cells on {len(near)} of {len(by_dataset)} datasets"
    )
    return holds_in(off <= NEAR, found, setting(tables[table]))


# Table 4


def _against_fipe(tables: Tables, ensemble: str) -> pd.DataFrame:
    own = tables["table_4"]
    sizes = _complete(own[own["ensemble"] == ensemble], ["dataset"], [PACE, FIPE])
    return sizes.loc[in_order(list(sizes.index))]


def fipe_sizes(tables: Tables, ensemble: str) -> Evidence:
    """Sizes of Fipe, means rounded as in print, are the printed ones, up to one learner."""
    own = tables["table_4"]
    sizes = _complete(own[own["ensemble"] == ensemble], ["dataset"], [FIPE])[FIPE]
    if sizes.empty:
        return not_run(FIPE)
    printed = against_fipe(ensemble)[FIPE]
    off = (sizes.round() - printed.reindex(sizes.index)).abs()
    found = ", ".join(
        f"{name} {_size(sizes[name])}/{printed[name]:g}" for name in in_order(list(sizes.index))
    )
    near = off <= NEAR
    return holds_in(near, f"{int(near.sum())} of {len(near)}: ours/print {found}", setting(own))


def no_larger_than_fipe(tables: Tables, ensemble: str) -> Evidence:
    """Pace is nowhere larger than Fipe."""
    sizes = _against_fipe(tables, ensemble)
    if sizes.empty:
        return not_run(f"{PACE} and {FIPE}")
    right = sizes[PACE] <= sizes[FIPE]
    found = f"{int(right.sum())} of {len(right)} datasets"
    return holds_in(right, found, setting(tables["table_4"]))


def strict_wins(tables: Tables, ensemble: str) -> Evidence:
    """Pace is strictly smaller than Fipe on at least as many datasets as stated; in part on half as many."""
    sizes = _against_fipe(tables, ensemble)
    if sizes.empty:
        return not_run(f"{PACE} and {FIPE}")
    won = sizes[PACE] < sizes[FIPE]
    named = ", ".join(
        f"{name} {_size(row[PACE])} for {_size(row[FIPE])}" for name, row in sizes[won].iterrows()
    )
    found = f"{int(won.sum())} of {len(won)}, print {WINS[ensemble]} of 11" + (f": {named}" if named else "")
    wins, stated = int(won.sum()), WINS[ensemble]
    return holds_if(wins >= stated, found, setting(tables["table_4"]), in_part=2 * wins >= stated)


def single_trees(tables: Tables) -> Evidence:
    """Pace reduces four of the AdaBoost ensembles to a single tree."""
    own = tables["table_4"]
    sizes = _complete(own[own["ensemble"] == ADABOOST], ["dataset"], [PACE])[PACE]
    asked = sizes[[name for name in SINGLE_TREES if name in sizes.index]]
    if asked.empty:
        return not_run(", ".join(SINGLE_TREES))
    right = asked.reindex(SINGLE_TREES) == 1
    return holds_in(right, listed(asked, 1), setting(own))


# Figs 3, 4, 6 and 7


def _by_region(tables: Tables, table: str) -> tuple[pd.DataFrame, dict[str, float] | None]:
    """Certified sizes by alpha and beta, both methods; and those of alpha = beta = 0."""
    sizes = _complete(tables[table], ["alpha", "beta"], [PRUNE, PACE]).reset_index()
    strict = sizes.loc[(sizes["alpha"] == 0) & (sizes["beta"] == 0), [PRUNE, PACE]].to_dict("records")
    return sizes, {str(name): float(size) for name, size in strict[0].items()} if strict else None


def half_when_strict(tables: Tables, table: str) -> Evidence:
    """With alpha = beta = 0 Pace has about half as many learners as pruning only."""
    _, strict = _by_region(tables, table)
    if strict is None:
        return not_run("alpha = beta = 0")
    pace, prune = strict[PACE], strict[PRUNE]
    return holds_if(
        pace <= HALF * prune, f"{pace:g} for {prune:g}", setting(tables[table]), in_part=pace < prune
    )


def same_when_strict(tables: Tables, table: str) -> Evidence:
    """With alpha = beta = 0 generation brings nothing."""
    sizes, strict = _by_region(tables, table)
    if strict is None:
        return not_run("alpha = beta = 0")
    pace, prune = strict[PACE], strict[PRUNE]
    smaller = f"ours is smaller in {int((sizes[PACE] < sizes[PRUNE]).sum())} of all {len(sizes)} regions"
    return holds_if(abs(prune - pace) <= NEAR, f"{pace:g} for {prune:g}; {smaller}", setting(tables[table]))


def gap_when_relaxed(tables: Tables, table: str) -> Evidence:
    """Somewhere with alpha or beta above 0 Pace is smaller than pruning only, and by more than at 0."""
    sizes, strict = _by_region(tables, table)
    relaxed = sizes[(sizes["alpha"] > 0) | (sizes["beta"] > 0)]
    if relaxed.empty:
        return not_run("any alpha or beta above 0")
    gaps = relaxed[PRUNE] - relaxed[PACE]
    at_zero = 0.0 if strict is None else max(strict[PRUNE] - strict[PACE], 0.0)
    if gaps.max() <= 0:
        return holds_if(False, "Pace is nowhere smaller", setting(tables[table]))
    where = relaxed[gaps == gaps.max()].iloc[0][["alpha", "beta"]]
    found = f"up to {gaps.max():g} learners, at {listed(where, 2)}; {at_zero:g} at alpha = beta = 0"
    return holds_if(bool(gaps.max() > at_zero), found, setting(tables[table]))


def relaxing_helps(tables: Tables, table: str) -> Evidence:
    """Relaxed faithfulness at least halves the ensemble, with generation and without."""
    sizes, strict = _by_region(tables, table)
    if strict is None or len(sizes) < 2:
        return not_run("alpha = beta = 0 and another region")
    least = {name: float(sizes[name].min()) for name in (PRUNE, PACE)}
    found = ", ".join(f"{name} {strict[name]:g} to {least[name]:g}" for name in least)
    halved = [least[name] <= strict[name] / 2 for name in least]
    smaller = [least[name] < strict[name] for name in least]
    return holds_if(all(halved), found, setting(tables[table]), in_part=any(smaller))
