"""Checks of Dash, Günlük and Wei (2018) that need no run: sums on the printed tables, and what the paper gets wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.stats import binomtest

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.checks import TRADE_OFF_RIVALS, Tables, stated
from compactml.chapters.boolean_rules.claims.proofs import printed_cell
from compactml.chapters.boolean_rules.claims.rivals import (
    AGAINST_RIPPER,
    SIGN_TEST_LEVEL,
    SIMPLER,
    TIC_TAC_TOE,
    beside,
    wins,
)
from compactml.chapters.boolean_rules.trials.paper import OURS
from compactml.datasets.generators import LINES, tic_tac_toe_endgames
from compactml.study.judging.evidence import Evidence
from compactml.study.recording.published import published

TIE = 1e-9
UNBOUNDED = (3, 4)
"""What SciPy's ``milp`` says of a feasible program that is unbounded."""


def printed(table: str) -> pd.DataFrame:
    """A printed table with numbers."""
    frame = published(NAME, table)
    return frame.assign(value=frame["value"].astype(float), std_error=frame["std_error"].astype(float))


def never_far_below_ripper(tables: Tables) -> Evidence:
    """In Table 1 CG is nowhere less accurate than RIPPER by more than a point."""
    both = beside(printed("table_1"), OURS, "RIPPER")
    deficit = both["RIPPER"] - both[OURS]
    return Evidence.of_cells(
        deficit <= stated("cg_below_ripper_at_most") + TIE,
        f"largest deficit {deficit.max():.1f} points, on {' and '.join(deficit.index[deficit >= deficit.max() - TIE])}",
    )


def ripper_worse(tables: Tables) -> Evidence:
    """In Table 1 RIPPER is worse by two points or more on three datasets, rounded."""
    both = beside(printed("table_1"), OURS, "RIPPER").loc[list(AGAINST_RIPPER)]
    gains = both[OURS] - both["RIPPER"]
    return Evidence.of_cells(
        gains.round() >= stated("ripper_worse_by"),
        ", ".join(f"{name} {gain:+.1f}" for name, gain in gains.items()),
    )


def head_to_head(tables: Tables) -> Evidence:
    """Wins and losses of CG against RIPPER in Table 1 are nearly even."""
    won, tied, lost = wins(beside(printed("table_1"), OURS, "RIPPER"))
    p = float(binomtest(won, won + lost).pvalue)
    return Evidence.of_statement(p > SIGN_TEST_LEVEL, f"{won} wins, {tied} ties, {lost} losses (p = {p:.2f})")


def ahead_of_rivals(tables: Tables) -> Evidence:
    """In Table 1 CG is more accurate than BRS, AM and BCD on more datasets than less."""
    counts = {rival: wins(beside(printed("table_1"), OURS, rival)) for rival in TRADE_OFF_RIVALS}
    named = (
        f"{won} wins, {tied} ties, {lost} losses against {name}" for name, (won, tied, lost) in counts.items()
    )
    return Evidence.of_cells([won > lost for won, _, lost in counts.values()], "; ".join(named))


def simpler_than_ripper(tables: Tables) -> Evidence:
    """Complexities of CG and RIPPER in Table 2 on three large datasets, and accuracies in Table 1."""
    size, accuracy = (
        beside(printed(table), OURS, "RIPPER").loc[list(SIMPLER)] for table in ("table_2", "table_1")
    )
    simpler = size["RIPPER"] - size[OURS] > 2 * size["error"]
    close = accuracy["RIPPER"] - accuracy[OURS] <= stated("cg_below_ripper_at_most") + TIE
    sizes = zip(size.index, size[OURS], size["RIPPER"], strict=True)
    return Evidence.of_cells(
        simpler & close, ", ".join(f"{name} {ours} against {theirs}" for name, ours, theirs in sizes)
    )


def only_cg_solves_tic_tac_toe(tables: Tables) -> Evidence:
    """Table 1 has 100 % on tic-tac-toe for CG alone."""
    row = printed("table_1").query(f"dataset == '{TIC_TAC_TOE}'").set_index("method")["value"]
    return Evidence.of_cells(
        (row.drop(OURS) < 100) & (row[OURS] == 100),
        ", ".join(f"{name} {value}" for name, value in row.items()),
    )


def distinct_cells(tables: Tables) -> Evidence:
    """Table 2 has a mean and a standard error of its own for CG on gas and on musk."""
    rows = published(NAME, "table_2").query("method == 'CG'").set_index("dataset")
    gas, musk = (tuple(rows.loc[name, ["value", "std_error"]]) for name in ("gas", "musk"))
    return Evidence.of_statement(
        gas != musk,
        f"gas {gas[0]} ({gas[1]}), musk {musk[0]} ({musk[1]})",
        ""
        if gas != musk
        else "two datasets hardly share mean and error; which of the two is right cannot be said",
    )


def pricing_program(tables: Tables) -> Evidence:
    """(6)-(10) as printed on one positive row with one feature, true or false there; its dual is 1, lambda is 0."""
    free = Bounds([0, -np.inf], [1, np.inf])
    true = milp([0.0, -1.0], integrality=[1, 0], bounds=free)
    false = milp(
        [0.0, -1.0], integrality=[1, 0], bounds=free, constraints=LinearConstraint([[1, 1]], -np.inf, 1)
    )
    bounded, conditions = true.status not in UNBOUNDED, round(float(false.x[0]))
    return Evidence.of_cells(
        [bounded, conditions > 0],
        f"on one positive row that has its only feature the program is {'bounded' if bounded else 'unbounded'}; on one "
        f"that lacks it the best clause has {conditions} conditions and so costs {1 + conditions}",
        "two constraints are missing: a row counts once at most, and a clause has a condition. The first does no harm "
        "in the paper's experiments, where every feature comes with its negation",
    )


def lines_of_both(tables: Tables) -> Evidence:
    """Boards with three x in a row, and boards with three x or three o in a row, against the class of tic-tac-toe."""
    game = tic_tac_toe_endgames()
    boards, positive = game.X.to_numpy(), (game.y == "positive").to_numpy()
    x, o = (np.any([(boards[:, line] == player).all(axis=1) for line in LINES], axis=0) for player in "xo")
    exact, both = (float((rule == positive).mean()) for rule in (x, x | o))
    complexity = len(LINES) * (1 + len(LINES[0]))
    mean, _ = printed_cell(TIC_TAC_TOE, OURS)
    return Evidence.of_statement(
        both == 1,
        f"three x or three o in a row is right on {both:.0%} of the boards, three x alone on {exact:.0%}",
        f"the rule set is the eight lines of x, of the complexity {complexity} that Table 2 prints; "
        f"with those of o it could not reach the {mean:g} % of Table 1",
    )
