"""What the notebooks of the chapter show: its tables and figures, made of its results."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.condition_sharing import NAME, beyond, figures, reasons
from compactml.chapters.condition_sharing.claims.curves import fit_to_prose
from compactml.chapters.condition_sharing.curves import mean_points
from compactml.chapters.condition_sharing.datasets import DATASETS, SMALL
from compactml.chapters.condition_sharing.rows import CELL
from compactml.chapters.condition_sharing.tables import sizes
from compactml.chapters.condition_sharing.trials.beyond import BANK_ROWS, CLUSTERS
from compactml.chapters.condition_sharing.words import readable, with_sizes
from compactml.study.judging.comparison import Agreement, same_digits
from compactml.study.page.beside_print import differing
from compactml.study.page.dots import dots
from compactml.study.page.html import ShownTable, show
from compactml.study.page.squares import Squares
from compactml.study.page.words import named
from compactml.study.recording.published import published
from compactml.study.recording.results import Results


def datasets(results: Results) -> ShownTable:
    """Table 1."""
    heads = {
        "n": "n printed", "d": "d printed", "n_classes": "classes printed",
        "n_here": "n here", "d_here": "d here", "n_classes_here": "classes here",
    }  # fmt: skip
    return show(
        sizes([]).rename(columns=heads),
        name="condition_sharing_table_1",
        caption="Rows, features and classes, printed and as read here (empty: data not at hand, or no classes)",
    )


def differing_reasons(results: Results) -> ShownTable:
    """Why cells of Table 2 differ, by learner."""
    cells = results.comparison("table_2")
    differ = cells[cells["verdict"] == Agreement.DIFFERS]
    counts = differ.groupby(["reason", "learner"]).size().unstack(fill_value=0)  # noqa: PD010, nothing to add up
    return show(
        counts, name="condition_sharing_table_2_reasons", caption="Differing cells by reason and learner"
    )


def size_squares(results: Results, width: float) -> Figure:
    """Table 1 as squares: rows, features and classes, printed and as read here."""
    cells = []
    for row in sizes([]).to_dict("records"):
        for name, label in {"n": "rows", "d": "features", "n_classes": "classes"}.items():
            printed, ours = row[name], row[f"{name}_here"]
            if pd.isna(printed):
                continue
            verdict = Agreement.EVERY_DIGIT if printed == ours else Agreement.DIFFERS
            verdict = Agreement.NOT_AT_HAND if pd.isna(ours) else verdict
            cells.append((row["dataset"], label, "", str(printed), ours, None, verdict))
    columns = ["dataset", "measure", "group", "published", "recorded", "this_build", "verdict"]
    return Squares(pd.DataFrame(cells, columns=columns), ["dataset", "measure"], "group").draw(width)


def figure_2(results: Results, width: float) -> Figure:
    """Fig 2."""
    return figures.figure_2(published(NAME, "table_2"), results.rows("table_2"), width)


def figure_3(results: Results, width: float) -> Figure:
    """Fig 3."""
    return figures.figure_3(published(NAME, "table_3"), results.rows("table_3"), width)


def environments(results: Results) -> ShownTable:
    """How many cells of Table 2 show every digit, by learner and release of scikit-learn."""
    tables = {"as recorded": results.recorded("table_2")} | {
        f"scikit-learn {release}": results.recorded(f"table_2{ending}")
        for release, ending in reasons.OLDER.items()
    }
    printed = published(NAME, "table_2").set_index(CELL)["value"]
    counts = {
        name: {learner: _digits(part, printed) for learner, part in table.groupby("learner", sort=False)}
        for name, table in tables.items()
    }
    return show(
        pd.DataFrame(counts).fillna("not run").rename_axis("learner"),
        name="condition_sharing_table_2_environments",
        caption="Numbers of Table 2 that come out in every digit, of those that were run",
        note=results.source("table_2"),
    )


def _digits(table: pd.DataFrame, printed: pd.Series) -> str:
    values = table.set_index(CELL)["value"]
    agree = [same_digits(*pair) for pair in zip(values, printed.reindex(values.index), strict=True)]
    return f"{sum(agree)} of {len(agree)}"


def differing_cells(results: Results) -> ShownTable:
    """The cells of Table 2 that differ, each with its reason."""
    return differing(results.chapter, "table_2", results.finished("table_2"))


PANELS = [dataset.name for dataset in DATASETS if dataset.n <= SMALL]
"""Of Figs 4 and 5."""


def panel_points(results: Results) -> pd.DataFrame:
    """The points of Figs 4 and 5, of all learners: ratios of means over the folds."""
    return mean_points(results.rows("fig_4"))


def forest_points(results: Results) -> pd.DataFrame:
    """The points of Figs 4 and 5 that are drawn: random forests."""
    points = panel_points(results)
    return points[
        (points["learner"] == "RF")
        & points["method"].isin(["original", "sharing", *figures.METHODS])
        & points["dataset"].isin(PANELS)
    ]


def figure_4(results: Results, width: float) -> Figure:
    """Fig 4."""
    return figures.figure_4(forest_points(results), width)


def figure_5(results: Results, width: float) -> Figure:
    """Fig 5."""
    return figures.figure_5(forest_points(results), width)


def points(results: Results) -> ShownTable:
    """The points of Figs 4 and 5, as a table."""
    return show(
        panel_points(results),
        name="condition_sharing_fig_4",
        caption="The points of Figs 4 and 5 and of the other learners. Printed: the share of the nodes that the "
        "paper's own program decided",
        note=results.both_sources("fig_4"),
    )


def fits(results: Results) -> ShownTable:
    """How many panels of Fig 4 lie as Section 6.2.3 says, by learner and form of k-means."""
    return show(
        fit_to_prose(results.rows("fig_4")),
        name="condition_sharing_fig_4_fits",
        caption="Datasets on which exceptional intervals lie as the paper says: against exceptional samples (sigma), "
        "and against k-means from random starts (Lloyd: each node counts; once: each threshold), by our score",
        note=results.both_sources("fig_4"),
    )


def relaxation_costs(results: Results) -> ShownTable:
    """Time and memory of both relaxations, by dataset and learner."""
    costs = results.recorded_or_build("relaxation_cost")
    means = costs.groupby(["dataset", "learner"], sort=False).mean(numeric_only=True).reset_index()
    ratio = means["c_seconds"] / means["sigma_seconds"]
    return show(
        means.assign(ratio=ratio).drop(columns="fold"),
        name="condition_sharing_relaxation_cost",
        caption="Seconds of five shares together and the largest rise of memory, means over folds: exceptional samples "
        "(sigma), exceptional intervals by the paper's program (c) and by our search. Printed: the share of the nodes "
        "that the paper's program decided",
        note=results.source("relaxation_cost"),
    )


def speed(results: Results) -> ShownTable:
    """Sharing against the forest's own ``apply``."""
    columns = [
        "dataset", "learner", "trees", "n_rows", "n_nodes", "apply_seconds", "interval_seconds", "set_seconds", "ratio",
    ]  # fmt: skip
    return show(
        with_sizes(results.recorded_or_build("speed"))[columns],
        name="condition_sharing_speed",
        caption="Sharing against apply, one thread",
        note=results.source("speed"),
    )


def speed_dots(results: Results, width: float) -> Figure:
    """Time of sharing over that of ``apply``."""
    rows = named(results.recorded_or_build("speed"), results.chapter)
    labels = [f"{readable(row['dataset'])}, {row['learner']}" for row in rows.to_dict("records")]
    return dots(labels, {"": list(rows["ratio"])}, "time of sharing over time of apply", width, reference=1.0)


def growth_curves(results: Results, width: float) -> Figure:
    """Time and memory by rows and by nodes."""
    by_rows, by_nodes = (results.recorded_or_build(id) for id in ("growth_rows", "growth_nodes"))
    return figures.growth(by_rows, by_nodes, width)


def growth(results: Results) -> ShownTable:
    """The same as a table."""
    both = [with_sizes(results.recorded_or_build(id)) for id in ("growth_rows", "growth_nodes")]
    columns = [
        "dataset", "trees", "n_rows", "n_nodes", "row_visits", "interval_seconds", "set_seconds", "peak_mib",
    ]  # fmt: skip
    return show(
        pd.concat(both, ignore_index=True)[columns],
        name="condition_sharing_growth",
        caption="Growth: generated data with the 28 features of HEPMASS, each size timed once",
        note=results.source("growth_rows", "growth_nodes"),
    )


def search(results: Results) -> ShownTable:
    """The parametric search against the paper's dynamic program."""
    rows = results.recorded_or_build("search")
    columns = ["p", "c", "points", "points_dynamic", "seconds", "seconds_dynamic", "times_faster"]
    return show(
        rows.assign(times_faster=rows["seconds_dynamic"] / rows["seconds"])[columns],
        name="condition_sharing_search",
        caption="Intervals p, exceptions c, points found, seconds",
        note=results.source("search"),
    )


def search_curves(results: Results, width: float) -> Figure:
    """Seconds of the search and of the dynamic program by the number of intervals."""
    return figures.search(results.recorded_or_build("search"), width)


def evaluator_dots(results: Results, width: float) -> Figure:
    """Time of both evaluators over that of ``apply``, by ensemble."""
    study = named(beyond.evaluator_study(results.recorded_or_build("evaluator")), results.chapter)
    labels = study["dataset"] + ", " + study["learner"] + ", " + study["ensemble"]
    series = {"comparator bank": list(study["bank, over apply"]), "ranks": list(study["ranks, over apply"])}
    return dots(list(labels), series, "time a row over that of apply", width, log=True, reference=1.0)


def evaluators(results: Results) -> ShownTable:
    """Both evaluators before and after sharing."""
    study = named(beyond.evaluator_study(results.recorded_or_build("evaluator")), results.chapter)
    rows = study.groupby("dataset", sort=False)["rows"].first()
    sizes_text = " and ".join(f"{n:,} rows of {name}" for name, n in rows.items())
    return show(
        study,
        name="condition_sharing_evaluator",
        caption=f"Evaluators, {sizes_text} (the bank: at most {BANK_ROWS:,} of them). Times faster: than on the "
        "original ensemble. Over apply: time per row over that of scikit-learn's apply on the original ensemble",
        note=results.source("evaluator"),
    )


def baseline(results: Results) -> ShownTable:
    """Exact clusterings against ten starts of Lloyd's algorithm."""
    rows = [
        {
            "dataset": row["dataset"],
            "clusters": k,
            "exact": row[f"exact_k={k}"],
            "Lloyd, 10 starts": row[f"lloyd_k={k}"],
            "features missed": f"{row[f'worse_k={k}']:.0f} of {row['n_features']}",
        }
        for row in results.recorded_or_build("baseline").to_dict("records")
        for k in CLUSTERS
    ]
    return show(
        pd.DataFrame(rows),
        name="condition_sharing_baseline",
        caption="Within-cluster cost over variance",
        note=results.source("baseline"),
    )


def baseline_dots(results: Results, width: float) -> Figure:
    """Share of the features on which ten starts of Lloyd's algorithm miss the optimum."""
    rows = named(results.recorded_or_build("baseline"), results.chapter)
    labels = [f"{row['dataset']}, {k} clusters" for row in rows.to_dict("records") for k in CLUSTERS]
    missed = [
        100 * row[f"worse_k={k}"] / row["n_features"] for row in rows.to_dict("records") for k in CLUSTERS
    ]
    return dots(labels, {"": missed}, "features on which ten starts miss the optimum (%)", width)


def smallest(results: Results) -> ShownTable:
    """The smallest ensemble of each grid within half a percent of the accuracy."""
    grids = beyond.tradeoff_grids(results.recorded_or_build("tradeoff"))
    return show(
        beyond.smallest_of_grids(grids, 0.995),
        name="condition_sharing_tradeoff",
        caption="Smallest share of the conditions (SR) within half a percent of the accuracy",
        note=results.source("tradeoff"),
    )


def tradeoff(results: Results, width: float) -> Figure:
    """Both relaxations together."""
    rows = named(results.recorded_or_build("tradeoff"), results.chapter)
    return figures.tradeoff(beyond.tradeoff_grids(rows), width)
