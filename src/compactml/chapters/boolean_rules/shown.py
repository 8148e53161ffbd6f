"""What the second and third notebook show: the chapter's tables and figures, made of its results."""

from __future__ import annotations

from matplotlib.figure import Figure

from compactml.chapters.boolean_rules import NAME, figures, speed
from compactml.chapters.boolean_rules.rows import beside_search
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.origins import source_line
from compactml.study.recording.recorded import recorded_provenance
from compactml.study.recording.results import Results


def liver_readings(results: Results) -> ShownTable:
    """Which class of the liver data the paper predicts."""
    return show(
        results.rows("liver_reading"),
        name="boolean_rules_liver_reading",
        caption="Liver: accuracy of a random forest (%) by class predicted; print: 60.0 (0.8)",
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


def figure_1(results: Results) -> Figure:
    """Fig 1."""
    return figures.figure_1(results.rows("fig_1"))


def figure_1_all(results: Results) -> Figure:
    """Fig 1 with the panels of all datasets that were run."""
    return figures.figure_1_all(results.rows("fig_1"))


def fico_rules(results: Results) -> str:
    """The printed rule for FICO and ours, in words."""
    rules = results.rows("fico_rule")
    return "\n".join(f"{row.method}:\n{row.rule}\n" for row in rules.itertuples())


def fico_rule(results: Results) -> ShownTable:
    """How good both are."""
    return show(
        results.rows("fico_rule").drop(columns=["rule", "dataset"]),
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


def proved_bounds(results: Results) -> Figure:
    """The same as bars."""
    return figures.optima(results.rows("optima"))


def engines(results: Results) -> ShownTable:
    """Engines for the pricing problem."""
    return show(
        beside_search(results.rows("engines")),
        name="boolean_rules_engines",
        caption="One exact pricing: outcome, best f (minus the reduced cost), proved bound on f, both in rows; "
        "seconds; price is λ",
        note=results.both_sources("engines"),
    )


def engine_seconds(results: Results) -> Figure:
    """Their seconds."""
    return speed.engines(results.rows("engines"))


def toolkit(results: Results) -> ShownTable:
    """The authors' toolkit beside ours, as recorded."""
    return show(
        results.recorded("aix360"),
        name="boolean_rules_aix360",
        caption="Hamming loss at equal complexity, and seconds",
        note=source_line(recorded_provenance(NAME, "aix360")),
    )


def growth_curves(results: Results) -> Figure:
    """Seconds by rows."""
    return speed.growth(results.rows("growth").sort_values("n"))


def growth(results: Results) -> ShownTable:
    """The same as a table."""
    return show(
        results.rows("growth").sort_values("n").drop(columns=["dataset", "method"]),
        name="boolean_rules_growth",
        caption="Growth: seconds, nodes, and the loss and bound learned",
        note=results.both_sources("growth"),
    )
