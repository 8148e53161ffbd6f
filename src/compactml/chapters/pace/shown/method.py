"""What the first notebook shows: examples that can be checked by hand."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.pace import counterexamples, examples, method
from compactml.chapters.pace.pictures import loop
from compactml.pace.weights.pruning import EPSILON, Pruner
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results


def votes(results: Results, width: float) -> Figure:
    """Votes of three stumps over the cells of a line."""
    return method.votes_picture(*examples.three_stumps(), examples.KEPT, width)


def diagram(results: Results, width: float) -> Figure:
    """Fig 1, our drawing."""
    return loop.diagram(width)


def rounds(results: Results, width: float) -> Figure:
    """The loop on a forest on two features of the iris data."""
    example = examples.looped_iris()
    return loop.draw(example.setting, example.X, examples.IRIS_FEATURES, example.rounds, width)


def separations(results: Results) -> ShownTable:
    """Separating cells of three stumps."""
    return show(
        examples.separation_answers(),
        name="pace_separation",
        caption="Separating cells for each ordered pair of labels, and their number by evaluating all cells",
    )


def master(results: Results) -> ShownTable:
    """Margins of three learners and a new one, and the duals."""
    samples = [f"sample {i}" for i in (1, 2, 3)]
    rows = pd.DataFrame(examples.MARGINS, index=samples, columns=["h1", "h2", "h3"])
    rows["new learner"] = examples.EVERYWHERE.astype(int)
    rows["u"] = examples.new_learner().before.duals.round(6)
    return show(
        rows,
        name="pace_master",
        caption="Margins of three learners and a new one on three samples, and the duals u before it is added",
    )


def degenerate(results: Results, width: float) -> Figure:
    """Weights and duals of the example in which a negative reduced cost does not help."""
    return counterexamples.degenerate_picture(width)


def big_m(results: Results) -> ShownTable:
    """Fewest learners with the bound of Fipe, with a larger one, and by ours."""
    margins = counterexamples.BOUNDED
    total = counterexamples.least_total(margins)
    supports = {
        "Fipe's M = v₁": counterexamples.support_within(margins, total),
        "M = 10": counterexamples.support_within(margins, 10.0),
        f"ours: sum of w = 1, margins of at least {EPSILON:g}": Pruner().prune(margins).weights,
    }
    table = pd.DataFrame(
        {
            "bound": list(supports),
            "w": [", ".join(f"{w:g}" for w in weights.round(4)) for weights in supports.values()],
            "learners": [int((weights > 0).sum()) for weights in supports.values()],
        }
    )
    return show(
        table, name="pace_big_m", caption="Fewest learners for margins (1, 0, 0.4), (1, 0, 0.4), (0, 1, 0.4)"
    )


def big_m_plane(results: Results, width: float) -> Figure:
    """The same in the plane of equal weights of the first two learners."""
    return counterexamples.big_m_picture(counterexamples.least_total(counterexamples.BOUNDED), width)


def path_lengths(results: Results) -> ShownTable:
    """Mean path lengths of isolation trees."""
    lengths = method.path_lengths([1, 2, 3, 4, 5, 8, 100, 256])
    return show(
        lengths.round(6).set_index("n").T,
        name="pace_path_lengths",
        caption="Mean path length c(n) of an isolation tree on n samples",
    )


def regions(results: Results, width: float) -> Figure:
    """Regions of a forest on two features of the iris data."""
    settings, X, y = examples.iris_regions()
    return method.regions_picture(settings, X, y, examples.IRIS_FEATURES, width)


def compressed(results: Results) -> ShownTable:
    """A forest on the iris data and three small ensembles."""
    example = examples.compressed_iris()
    forest, labels = example.forest, example.forest.predict(example.X)
    leaves = sum(tree.tree_.n_leaves for tree in forest.estimators_)
    rows = [("the forest", len(forest.estimators_), 0, leaves, "", 1.0)]
    for name, small in example.ensembles.items():
        faithful = "yes" if small.certificate_.faithful else "no"
        same = float((small.predict(example.X) == labels).mean())
        rows.append((name, small.n_learners_, small.n_generated_, small.n_leaves_, faithful, same))
    columns = ["ensemble", "learners", "generated", "leaves", "certified", "agree on the data"]
    return show(
        pd.DataFrame(rows, columns=columns),
        name="pace_iris",
        caption="A forest on the iris data, compressed",
    )


def certificate(results: Results) -> ShownTable:
    """The certificate of one of them, pair by pair."""
    example = examples.compressed_iris()
    return show(
        method.certificate_table(
            example.ensembles[examples.BOTH].certificate_.proved, list(example.class_names)
        ),
        name="pace_certificate",
        caption="No point of the region changes from the label of the row to that of the column",
    )


def checks(results: Results) -> ShownTable:
    """Each small ensemble beside the forest in every cell."""
    example = examples.compressed_iris()
    rows = [
        (
            name,
            example.ensembles[name].setting.grid.n_cells,
            check.n_points,
            "yes" if check.exhaustive else "no",
            len(check.disagreements),
        )
        for name, check in example.checks.items()
    ]
    columns = ["ensemble", "cells", "points compared", "all of the region", "disagreements"]
    return show(
        pd.DataFrame(rows, columns=columns),
        name="pace_recheck",
        caption="Every cell visited",
    )
