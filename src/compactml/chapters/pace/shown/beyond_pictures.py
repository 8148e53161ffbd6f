"""The pictures of the third notebook, but that of large forests."""

from __future__ import annotations

from matplotlib.figure import Figure

from compactml.chapters.pace import beyond, peers
from compactml.chapters.pace import separation as forms
from compactml.chapters.pace.pictures import beyond as drawn
from compactml.chapters.pace.pictures import refitting
from compactml.study.recording.results import Results


def pricing(results: Results, width: float) -> Figure:
    """Values of (P1) by CART and by exact pricing."""
    return drawn.pricing(beyond.pricing_table(results.rows("pricing")), width)


def places(results: Results, width: float) -> Figure:
    """Time of the forms of separation by the place of the weights in the run."""
    return drawn.places(forms.place_ratios(results.rows("engines")), width)


def checks(results: Results, width: float) -> Figure:
    """Points at which certificates were checked."""
    return drawn.checks(beyond.checks_table(results.rows("checks").dropna(subset="final_size")), width)


def leaves(results: Results, width: float) -> Figure:
    """Trees and leaves of Table 1's ensembles."""
    return drawn.leaves(beyond.leaves_table(results.rows("table_1")), width)


def merging(results: Results, width: float) -> Figure:
    """Trees of merged stumps."""
    return drawn.merging(beyond.merging_table(results.rows("merging"), results.rows("table_4")), width)


def refits(results: Results, width: float) -> Figure:
    """Trees of refitted ensembles, for the smallest initial ones."""
    table = refitting.of_results(results)
    return refitting.refitting_picture(table, table["N"].min(), width)


def agreement(results: Results, width: float) -> Figure:
    """Test rows in the region, and on which the label stays."""
    return drawn.agreement(beyond.agreement_table(results.rows("table_1")), width)


def bounds(results: Results, width: float) -> Figure:
    """How many sizes are proved to be smallest."""
    return drawn.bounds(beyond.bounds_table(beyond.bounded_rows(results)), width)


def fipe(results: Results, width: float) -> Figure:
    """Seconds of our Fipe and of pruning."""
    return drawn.fipe(beyond.fipe_table(results.rows("fipe")), width)


def fipepy(results: Results, width: float) -> Figure:
    """Seconds of the published code of Fipe and of pruning."""
    return drawn.fipepy(peers.peers_cases(), width)
