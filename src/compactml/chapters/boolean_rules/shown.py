"""What the second and third notebook show: the chapter's tables and figures, made of its results."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.boolean_rules import NAME, figures, speed, table_pictures
from compactml.chapters.boolean_rules.claims.tables import without_neutral
from compactml.chapters.boolean_rules.datasets import DATASETS
from compactml.chapters.boolean_rules.fold_rows import FOLD_TABLES, joined, our_cells, points
from compactml.chapters.boolean_rules.methods import OUR_CG, OURS_SHOWN, PROGRAM_OF
from compactml.chapters.boolean_rules.printed import mean_and_error
from compactml.chapters.boolean_rules.rows import beside_search
from compactml.chapters.boolean_rules.trials.paper import OURS
from compactml.study.page.beside_print import beside_print
from compactml.study.page.html import ShownTable, show
from compactml.study.page.squares import COLOURS, UNDECIDED, Squares, outcome
from compactml.study.page.style import FRAME, SOFT
from compactml.study.page.words import named
from compactml.study.recording.origins import build_source, source_line
from compactml.study.recording.published import published
from compactml.study.recording.recorded import recorded, recorded_provenance
from compactml.study.recording.results import Results

CERTIFIED = ("transfusion", "liver", "heart")
"""Datasets on which the paper calls its training solution proved or nearly so."""

DECIDED, NO_PROGRAM = "decides nothing: our choice", "no program to be had"
PUBLISHED = {"printed": "published"}


def liver_readings(results: Results) -> ShownTable:
    """Which class of the liver data the paper predicts."""
    return show(
        results.rows("liver_reading"),
        name="boolean_rules_liver_reading",
        caption="Liver: accuracy of a random forest (%) by class predicted",
        note=results.both_sources("liver_reading"),
    )


def fico_cuts(results: Results) -> ShownTable:
    """Whether the printed rule's thresholds are deciles of the data as we read them."""
    return show(
        results.rows("fico_cuts")[["dataset", "conditions", "found", "literals", "not_found"]],
        name="boolean_rules_fico_cuts",
        caption="Conditions of the printed rule that are literals of the deciles; the second reading keeps the codes "
        "as numbers",
        note=results.both_sources("fico_cuts"),
    )


def class_accuracies(results: Results, width: float) -> Figure:
    """The classes of the liver data, beside the printed accuracy of the random forest."""
    cell = published(NAME, "table_1").query("dataset == 'liver' and method == 'RF'").iloc[0]
    printed, error = float(cell["value"]), float(cell["std_error"])
    return table_pictures.class_accuracies(results.rows("liver_reading"), printed, error, width)


def gaps(results: Results, width: float) -> Figure:
    """What the linear program leaves open on the three datasets that the paper names."""
    rows = results.recorded_or_build("optima")
    return table_pictures.gaps(rows[rows["dataset"].isin(CERTIFIED)].reset_index(drop=True), width)


def paper_optima(results: Results) -> ShownTable:
    """What the paper's procedure proves of them."""
    columns = ["dataset", "C", "loss", "lp_bound", "by_program", "by_heuristic", "columns", "seconds"]
    return show(
        results.recorded_or_build("paper_optima")[columns].rename(columns={"columns": "clauses"}),
        name="boolean_rules_paper_optima",
        caption="Loss on all rows, bound that the pricing program proves (0: none), rounds that found clauses, clauses",
        note=results.source("paper_optima"),
    )


def certified(results: Results) -> ShownTable:
    """What our search proves of the same problems."""
    rows = results.recorded_or_build("optima")
    columns = ["dataset", "C", "loss", "lp_bound", "bound", "enumerated", "seconds"]
    return show(
        rows.loc[rows["dataset"].isin(CERTIFIED), columns].reset_index(drop=True),
        name="boolean_rules_certified",
        caption="Loss on all rows, bound of the linear program (if clauses are long, the longest are bounded apart), "
        "bound after the enumeration, clauses that it listed; "
        "the opinions of another solver below are on all problems of the record, not on these alone",
        note=results.source("optima"),
    )


def printed_pair(results: Results, width: float) -> Figure:
    """Column generation and RIPPER in the printed tables."""
    accuracies, sizes = (
        published(NAME, id)
        .astype({"value": float})
        .pivot_table(index="dataset", columns="method", values="value", sort=False)
        .loc[:, ["CG", "RIPPER"]]
        for id in ("table_1", "table_2")
    )
    return table_pictures.printed_pair(accuracies, sizes, width)


def squares(results: Results, width: float) -> Figure:
    """Tables 1 and 2 as squares; dark ones cannot be run, and blue ones are neither near nor far: we chose."""
    parts = []
    for id, title in (("table_1", "accuracy (Table 1)"), ("table_2", "complexity (Table 2)")):
        cells = without_neutral(id, results.counted_cells(id))
        outcomes = [
            DECIDED if not row["verdict"] else outcome(row) if row["method"] in PROGRAM_OF else NO_PROGRAM
            for row in cells.to_dict("records")
        ]
        parts.append(cells.assign(table=title, outcome=outcomes))
    colours = {**COLOURS, "no data here": SOFT, NO_PROGRAM: FRAME, DECIDED: UNDECIDED}
    return Squares(pd.concat(parts, ignore_index=True), ["dataset", "method"], "table", colours).draw(width)


def figure_1(results: Results, width: float) -> Figure:
    """Fig 1."""
    return figures.figure_1(_curves(results), width)


def figure_1_all(results: Results, width: float) -> Figure:
    """Fig 1 with the panels of all datasets that were run."""
    return figures.figure_1_all(_curves(results), width)


def curves(results: Results) -> ShownTable:
    """The points of Fig 1, of all datasets."""
    return show(
        _curves(results).drop(columns="folds"),
        name="boolean_rules_fig_1",
        caption="The points of Fig 1: means over folds and their standard errors",
        note=results.both_sources("fig_1"),
    )


def _curves(results: Results) -> pd.DataFrame:
    """Points of the paper's programs, where they are recorded, and of our own."""
    folds = joined({name: recorded(NAME, name) for name in FOLD_TABLES})
    ours = results.rows("fig_1")
    if OUR_CG in set(folds["method"]):
        ours = ours[ours["method"] != OURS]
    return pd.concat([points(folds), ours.assign(method=ours["method"].map(OURS_SHOWN))], ignore_index=True)


def accuracies(results: Results) -> ShownTable:
    """Table 1 beside the programs that the paper ran."""
    return _beside_print(results, "table_1")


def complexities(results: Results) -> ShownTable:
    """Table 2 beside the programs that the paper ran."""
    return _beside_print(results, "table_2")


def _beside_print(results: Results, id: str) -> ShownTable:
    """A printed table beside ours, with the runs of the tables of folds that its recorded cells are made of."""
    build = results.finished(id), results.left_out(id)
    table = beside_print(results.chapter, id, *build)
    runs = (source_line(recorded_provenance(NAME, name)) for name in FOLD_TABLES[:-1])
    note = " | ".join(f"{name}: {run}" for name, run in zip(FOLD_TABLES, runs, strict=False))
    return replace(table, note=f"recorded, {note} | {build_source(*build)}")


def our_programs(results: Results) -> ShownTable:
    """Accuracies and complexities of our own programs, which decide nothing that the paper says."""
    tables = {name: results.recorded(name) for name in ("table_1", "table_2", "our_cg")}
    columns = []
    for id, unit in (("table_1", "accuracy (%)"), ("table_2", "complexity")):
        kept = tables[id]
        others = kept[kept["method"] != OURS]
        others = others.assign(method=others["method"].map(OURS_SHOWN))
        every = pd.concat([our_cells(tables, id), others], ignore_index=True)
        texts = every.assign(text=mean_and_error(every, 1).to_numpy()).pivot_table(
            index="dataset", columns="method", values="text", aggfunc="first", sort=False
        )
        columns.append(texts.reindex(columns=list(dict.fromkeys(every["method"]))).add_suffix(f", {unit}"))
    order = [one.name for one in DATASETS]
    whole = pd.concat(columns, axis="columns").rename_axis("dataset").reset_index()
    whole = whole.sort_values("dataset", key=lambda names: names.map(order.index)).fillna("")
    return show(
        whole,
        name="boolean_rules_our_programs",
        caption="Our own programs on the folds that are recorded: accuracy in percent and complexity, with standard "
        "errors; CART and RF with leaves of a number of rows",
        note=" | ".join(source_line(recorded_provenance(NAME, name)) for name in ("our_cg", "table_1")),
    )


def paper_steps(results: Results) -> ShownTable:
    """Which step of the paper's pricing found clauses."""
    return show(
        results.rows("paper_steps"),
        name="boolean_rules_paper_steps",
        caption="The paper's procedure: non-zeros of the pricing program, whether samples were priced, rounds in which "
        "the integer program or the heuristic found clauses, and clauses, all C together; the smallest gap that it "
        "proves for some C, and the share of linear programs that it proves solved; means over folds",
        note=results.both_sources("paper_steps"),
    )


def rule_cards(results: Results, width: float) -> Figure:
    """The printed rule for FICO and ours of the same complexity."""
    rows = _ours_named(results.rows("fico_rule")).to_dict("records")
    rules = {
        f"{PUBLISHED.get(row['method'], row['method'])}: loss {row['loss']:.0f}": [
            clause.strip("()").split(" AND ") for clause in str(row["rule"]).split(" OR ")
        ]
        for row in rows
    }
    return table_pictures.rule_cards(rules, width)


def _ours_named(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows in which our programs bear the names under which they are shown."""
    return rows.assign(method=rows["method"].replace(dict(OURS_SHOWN)))


def fico_rule(results: Results) -> ShownTable:
    """How good both are."""
    rows = _ours_named(results.rows("fico_rule")).drop(columns=["rule", "dataset"])
    return show(
        rows.assign(accuracy=100 * rows["accuracy"]),
        name="boolean_rules_fico_rule",
        caption="The printed rule and ours of the same complexity, on all rows",
        note=results.both_sources("fico_rule"),
    )


def optima(results: Results) -> ShownTable:
    """Training problems and what is proved of them."""
    columns = [
        "dataset", "C", "rows", "literals", "loss", "bound", "gap", "proved", "D", "complexity", "errors", "enumerated",
        "rounds", "columns", "seconds",
    ]  # fmt: skip
    return show(
        results.rows("optima")[columns],
        name="boolean_rules_optima",
        caption="Smallest Hamming loss found by this run and largest proved bound",
        note=results.both_sources("optima"),
    )


def proofs(results: Results, width: float) -> Figure:
    """The same as a picture."""
    return speed.optima(named(results.rows("optima"), results.chapter), width)


def engines(results: Results) -> ShownTable:
    """Engines for the pricing problem."""
    return show(
        beside_search(results.rows("engines")),
        name="boolean_rules_engines",
        caption="One exact pricing: outcome, best f (minus the reduced cost), proved bound on f, both in rows; "
        "seconds; price is λ",
        note=results.both_sources("engines"),
    )


def engine_seconds(results: Results, width: float) -> Figure:
    """Their seconds."""
    return speed.engines(results.rows("engines"), width)


def toolkit(results: Results) -> ShownTable:
    """The authors' toolkit beside ours, as recorded."""
    return show(
        results.recorded("aix360"),
        name="boolean_rules_aix360",
        caption="Hamming loss at equal complexity, and seconds",
        note=source_line(recorded_provenance(NAME, "aix360")),
    )


def toolkit_seconds(results: Results, width: float) -> Figure:
    """The same as a picture, of the runs in which both have a rule set."""
    return speed.toolkit(results.recorded("aix360").dropna(subset=["our_loss"]), width)


def growth_curves(results: Results, width: float) -> Figure:
    """Seconds by rows."""
    return speed.growth(results.rows("growth").sort_values("n"), width)


def growth(results: Results) -> ShownTable:
    """The same as a table."""
    return show(
        results.rows("growth").sort_values("n").drop(columns=["dataset", "method"]),
        name="boolean_rules_growth",
        caption="Growth: seconds, nodes, and the loss and bound learned",
        note=results.both_sources("growth"),
    )
