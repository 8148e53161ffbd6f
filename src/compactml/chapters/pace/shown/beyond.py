"""What the third notebook shows: exact pricing, forms of separation, certificates, leaves, merging, refitting, Fipe."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace import NAME, beyond, method, peers
from compactml.chapters.pace import separation as forms
from compactml.chapters.pace.examples import merged_stumps
from compactml.chapters.pace.pictures import refitting
from compactml.chapters.pace.shown.reproduction import note
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.origins import source_line
from compactml.study.recording.recorded import recorded_provenance
from compactml.study.recording.results import Results


def pricing(results: Results) -> ShownTable:
    """Values of (P1) by CART and by exact pricing."""
    return show(
        beyond.pricing_table(results.rows("pricing")).round(3),
        name="pace_pricing",
        caption="Value of (P1) before and after generation on the same samples, and the last reduced cost",
        note=note(results, "pricing"),
    )


def pricing_sizes(results: Results) -> ShownTable:
    """Sizes of the whole method by CART and by exact pricing."""
    return show(
        beyond.pricing_sizes(results.rows("pricing")).round(1),
        name="pace_pricing_sizes",
        caption="Final size and total leaves by pricing",
        note=note(results, "pricing"),
    )


def engine_ratios(results: Results) -> ShownTable:
    """Time of the forms of separation over that of the constraint form."""
    return show(
        forms.engine_ratios(results.rows("engines")).round(3),
        name="pace_engine_ratios",
        caption="Time over that of the constraint form, by setting and over all",
        note=note(results, "engines"),
    )


def engine_places(results: Results) -> ShownTable:
    """The same by the place of the weights in the run."""
    return show(
        forms.place_ratios(results.rows("engines")).round(2),
        name="pace_engine_places",
        caption="The same by the weights: a point separates at the first and in the middle, none at the last",
        note=note(results, "engines"),
    )


def engines(results: Results) -> ShownTable:
    """Seconds of the forms, weights by weights."""
    return show(
        forms.engines_table(results.rows("engines")),
        name="pace_engines",
        caption="Seconds on the same weights; > where the time ran out",
        note=note(results, "engines"),
    )


def checks(results: Results) -> ShownTable:
    """Certificates beside scikit-learn's predictions."""
    return show(
        beyond.checks_table(results.rows("checks").dropna(subset="final_size")),
        name="pace_checks",
        caption="Points of the region at which the predictions were compared",
        note=note(results, "checks"),
    )


def leaves(results: Results) -> ShownTable:
    """Learners and leaves of Table 1's ensembles."""
    return show(
        beyond.leaves_table(results.rows("table_1")).round(1),
        name="pace_leaves",
        caption="Learners and leaves of certified ensembles, random forests",
        note=note(results, "table_1"),
    )


def merged_example(results: Results) -> ShownTable:
    """Scores of the stumps and of the tree in every cell."""
    example = merged_stumps()
    cells = method.cells_of(example.grid)
    table = pd.DataFrame({"cell": [method.where(example.grid, int(code)) for code in cells[:, 0]]})
    sides = {"three stumps": example.stumps.scores(cells), "one tree": example.tree.scores_of(cells)}
    for name, scores in sides.items():
        table[f"{name}: class 0"], table[f"{name}: class 1"] = scores.T
    return show(
        table,
        name="pace_merged_example",
        caption="Scores of three stumps and of the tree of depth 2 that is their sum",
    )


def merging(results: Results) -> ShownTable:
    """Trees and leaves of merged stumps."""
    return show(
        beyond.merging_table(results.rows("merging"), results.rows("table_4")).round(1),
        name="pace_merging",
        caption="Trees and leaves of pruned stumps, merged in two ways, and of Pace",
        note=note(results, "merging"),
    )


def disjunction(results: Results) -> ShownTable:
    """Three stumps of which no two do, and two with free leaves."""
    return show(
        refitting.disjunction_table().round(2),
        name="pace_disjunction",
        caption='"a or b": the score of class 1 less that of class 0; a tie, 0, keeps no label',
    )


def refits(results: Results) -> ShownTable:
    """Trees and leaves of refitted ensembles."""
    return show(
        refitting.of_results(results).round(1),
        name="pace_refitting",
        caption="Trees and leaves of certified ensembles: pruned, by Pace, refitted, and Pace's published trees",
        note=note(results, "refitting"),
    )


def agreement(results: Results) -> ShownTable:
    """Test rows in the region and outside of it."""
    return show(
        beyond.agreement_table(results.rows("table_1")).round(1),
        name="pace_agreement",
        caption="Test rows in percent, means over the certified runs: share in the region, agreement with the "
        "initial ensemble, accuracy",
        note=note(results, "table_1"),
    )


def bounds(results: Results) -> ShownTable:
    """How many sizes are proved to be smallest."""
    return show(
        beyond.bounds_table(beyond.bounded_rows(results)).round(2),
        name="pace_bounds",
        caption="Certified ensembles of Tables 1, 3 and 4, every run counted, and how many are proved to be the "
        "smallest",
        note=note(results, "table_1"),
    )


def fipe(results: Results) -> ShownTable:
    """Pruning against our Fipe."""
    return show(
        beyond.fipe_table(results.rows("fipe")).round(2),
        name="pace_fipe",
        caption="Pruning only against Fipe, certified sizes and seconds",
        note=note(results, "fipe"),
    )


def fipepy(results: Results) -> ShownTable:
    """Pruning against the published code of Fipe."""
    return show(
        peers.peers_table(peers.peers_cases()).round(2),
        name="pace_fipepy",
        caption="fipepy and ours on the whole space: certified sizes and seconds",
        note=source_line(recorded_provenance(NAME, "fipepy")),
    )
