"""The search with little memory and many interruptions; its pieces."""

import numpy as np
import pytest

from compactml.clock import Clock
from compactml.pace.separation import branching
from compactml.pace.separation._kernels.bounding import best_bound
from compactml.pace.separation._kernels.memory import Groups
from compactml.pace.separation.branching import BranchSeparation
from compactml.pace.separation.pieces import Board, Piece, Values, pack, pieces_of
from compactml.pace.separation.rows import conditions
from tests.pace.small_separations import problem


@pytest.mark.parametrize("name", ["KEPT", "NODES_PER_CALL"])
@pytest.mark.parametrize("seed", [1, 5, 6, 10])
def test_memory_and_interruptions_change_nothing(name, seed, monkeypatch):
    small = problem(seed, generated=2)
    wanted = {
        pair: BranchSeparation(small.grid, small.region).solve(small.current, pair, Clock(None))
        for pair in small.truth()
    }
    monkeypatch.setattr(branching, name, 1)
    for pair, (point, proved) in wanted.items():
        again, proved_again = BranchSeparation(small.grid, small.region).solve(
            small.current, pair, Clock(None)
        )
        assert proved == proved_again
        np.testing.assert_array_equal(point, again)


@pytest.mark.parametrize("seed", [1, 2, 4, 10])
def test_dives_prove_and_find_the_same(seed, monkeypatch):
    monkeypatch.setattr(branching, "DIVE_EVERY", 1)  # after one node, to the end
    monkeypatch.setattr(branching, "DIVE_NODES", 10**6)
    small = problem(seed, generated=2)
    longest = 0
    for pair, faithful in small.truth().items():
        hunt = BranchSeparation(small.grid, small.region).begin(small.current, pair)
        assert hunt.advance(1, Clock(None)) is True
        assert hunt.ended is True
        assert (hunt.point is None) == faithful
        assert faithful or (small.separating(pair) == hunt.point).all(axis=1).any()
        longest = max(longest, hunt.n_nodes)
    assert longest > 1


@pytest.mark.parametrize("seed", range(6))
def test_pieces_sum_to_the_rows(seed):
    small = problem(seed, generated=2)
    cells = small.cells
    for pair in small.truth():
        rows = conditions(small.region, small.current, pair)
        values = Board(small.grid.sizes).values(rows)
        pieces = pieces_of(dict.fromkeys(tree for row in rows for tree in row.learners), small.grid.sizes)
        total, first = np.zeros((len(cells), len(rows)), dtype=np.int64), 0
        for piece in pieces:
            codes = cells[:, None, piece.features]
            inside = ((codes >= piece.low) & (codes <= piece.high)).all(axis=2)
            assert (inside.sum(axis=1) == 1).all()  # a partition
            total += values.values[first + inside.argmax(axis=1)]
            first += len(piece.low)
        for r, row in enumerate(rows):
            np.testing.assert_array_equal(total[:, r] >= values.least[r], row.total(cells) >= row.least)
            np.testing.assert_array_equal(
                row.total(cells) >= row.least, row.reduced().total(cells) >= row.reduced().least
            )


def test_stumps_become_one_piece_per_feature():
    small = problem(0)
    pieces = pieces_of(small.region.initial.learners, small.grid.sizes)
    assert all(len(np.unique(tree.feature)) <= 2 for tree in small.region.initial.learners)
    assert len(pieces) == len({int(tree.feature[0]) for tree in small.region.initial.learners})


def test_multipliers_leave_a_row_that_holds_everywhere_in_a_node():
    """They stuck to it, so that the other row refuted nothing and did not branch: millions of nodes, not hundreds."""
    sizes = np.array([2])
    packed = pack([Piece(np.array([0]), np.array([[0], [1]]), np.array([[0], [1]]), ())], sizes)
    rows = Values(np.array([[3, 4], [-5, 4]]), np.array([1, 1]), 1000.0)
    _, alive, scratch = branching._memory(packed, rows, sizes)
    multipliers = np.array([0.0, rows.unit])
    groups = Groups(np.array([0]), np.array([0, 2]))
    bound = best_bound(packed, rows, groups, 0, alive.boxes[0], alive.counts[0], multipliers, 4, scratch)
    assert bound <= (3 - 1) * rows.unit  # of the first row alone; of the second one it is 4 - 1
    assert multipliers[0] > 0
