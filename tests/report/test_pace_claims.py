"""Every claim holds on what the paper states, and no longer once the numbers say otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable

import pandas as pd
import pytest
from toy_pace import as_stated, history

from compactml.experiments.pace import CHAPTER
from compactml.experiments.pace_trials import FIPE, GENERATE, PACE, PRUNE
from compactml.report.claims import changed_verdicts, scorecard
from compactml.report.pace import CLAIMS, claim_data
from compactml.report.recorded import recorded

Tables = dict[str, pd.DataFrame]
ON_PRINT = {
    "print-reductions-random_forest": "holds",
    "print-reductions-adaboost": "holds",
    "print-wins-random_forest": "holds",
    "print-wins-adaboost": "holds",
    "print-fipe": "holds",
    "print-ties": "holds",
    "print-ablations-table_1": "holds in part",
    "print-ablations-table_3": "holds in part",
    "print-generated-table_1": "holds",
    "print-generated-table_3": "holds",
    "print-limit": "holds",
    "strict-decrease": "does not hold",
}
"""What print, or an example, decides; as found by hand."""


def verdicts(tables: Tables, *names: str) -> dict[str, str]:
    """Verdicts of the named claims, of all without names."""
    card = scorecard([one for one in CLAIMS if not names or one.id.endswith(names)], tables)
    return dict(zip(card["id"].str.removeprefix(f"{CHAPTER}/"), card["verdict"], strict=True))


Change = Callable[[pd.DataFrame], pd.DataFrame]


def scaled(column: str, factor: float, method: str, **where: object) -> Change:
    """Multiply a column of a method, in the rows that have these values elsewhere."""

    def apply(frame: pd.DataFrame) -> pd.DataFrame:
        chosen = frame["method"] == method
        for name, value in where.items():
            chosen &= frame[name] == value
        assert chosen.any()
        return frame.assign(**{column: frame[column].where(~chosen, frame[column] * factor)})

    return apply


def steps(**changes: list[float]) -> Change:
    """Other columns in the histories, of the same length."""
    return lambda _: pd.DataFrame([history(1, **changes), history(2, **changes)])


TWO_SIZES = ("table_1", "table_3")
LOOPS, SAMPLES = ("fig_2", "fig_5"), ("fig_8", "fig_9")
FIGURES = ("fig_10", "fig_11")
HALF, NO, PART = 0.5, "does not hold", "holds in part"
AGAINST: dict[str, tuple[str, Change, str]] = {
    "class-shares": ("table_2", lambda frame: frame.assign(share_1=frame["share_1"] + 0.001), NO),
    **{f"faster-objective-{one}": (one, scaled("seconds", 0.1, "objective"), NO) for one in LOOPS},
    **{f"faster-milp-{one}": (one, scaled("seconds", 0.01, "milp", n_learners=25), PART) for one in LOOPS},
    **{f"more-samples-{one}": (one, scaled("n_samples", 9, "objective", depth=3), PART) for one in SAMPLES},
    **{f"no-gain-{one}": (one, scaled("seconds", 0.5, "both"), NO) for one in SAMPLES},
    **{f"fewer-samples-both-{one}": (one, scaled("n_samples", 9, "both"), NO) for one in SAMPLES},
    **{f"ablations-{one}": (one, scaled("final_size", 9, PACE, dataset="Pol"), PART) for one in TWO_SIZES},
    **{f"never-larger-{one}": (one, scaled("final_size", 9, PACE, dataset="Pol"), PART) for one in TWO_SIZES},
    **{f"slower-{one}": (one, scaled("seconds", 9, GENERATE), NO) for one in TWO_SIZES},
    **{
        f"pruned-sizes-{one}": (one, scaled("final_size", 3, PRUNE, dataset="Seeds"), PART)
        for one in TWO_SIZES
    },
    **{f"generated-{one}": (one, scaled("generated_in_final", 0.4, PACE), NO) for one in TWO_SIZES},
    **{
        f"{name}-{ensemble}": ("table_4", change, verdict)
        for ensemble in ("random_forest", "adaboost")
        for name, change, verdict in (
            ("fipe-sizes", scaled("final_size", 2, FIPE, ensemble=ensemble), NO),
            ("fipe", scaled("final_size", 3, PACE, ensemble=ensemble, dataset="Fico"), PART),
            ("wins", scaled("final_size", 99, PACE, ensemble=ensemble), NO),
        )
    },
    "single-trees": ("table_4", scaled("final_size", 2, PACE, ensemble="adaboost", dataset="Pol"), PART),
    **{
        f"relaxing-{one}": (one, scaled("final_size", 0.01, PACE, alpha=0.0), PART)
        for one in ("fig_3", "fig_4", "fig_6", "fig_7")
    },
    **{f"half-{one}": (one, scaled("final_size", 1.8, PACE, alpha=0.0), PART) for one in ("fig_3", "fig_6")},
    **{f"same-{one}": (one, scaled("final_size", HALF, PACE, alpha=0.0), NO) for one in ("fig_4", "fig_7")},
    **{f"gap-{one}": (one, scaled("final_size", 2, PACE), NO) for one in ("fig_4", "fig_7")},
    **{f"reduced-cost-{one}": (one, steps(reduced_cost=[-2.0] * 8), NO) for one in FIGURES},
    **{f"lp-value-{one}": (one, steps(lp_value=[1.0] * 8), NO) for one in FIGURES},
    **{
        f"first-samples-{one}": (one, steps(n_samples=[10.0 + 30 * k for k in range(8)]), NO)
        for one in FIGURES
    },
    **{f"linear-samples-{one}": (one, steps(n_samples=[2.0**k for k in range(8)]), NO) for one in FIGURES},
    **{f"linear-problems-{one}": (one, steps(n_solved=[3.0**k for k in range(8)]), NO) for one in FIGURES},
}


def test_every_claim_holds_on_what_is_stated() -> None:
    found = verdicts(as_stated())
    assert {name: found.pop(name) for name in ON_PRINT} == ON_PRINT
    assert set(found.values()) == {"holds"}, found
    assert set(found) == set(AGAINST)


@pytest.mark.parametrize("name", AGAINST)
def test_claim_falls_with_its_numbers(name: str) -> None:
    tables = as_stated()
    table, change, verdict = AGAINST[name]
    tables[table] = change(tables[table])
    assert verdicts(tables, f"/{name}") == {name: verdict}


def test_sizes_without_a_certificate_are_no_sizes() -> None:
    tables = as_stated()
    for name in (*TWO_SIZES, "table_4", "fig_3", "fig_4", "fig_6", "fig_7"):
        tables[name] = tables[name].assign(certified=0)
    found = verdicts(
        tables, "/ablations-table_1", "/fipe-adaboost", "single-trees", "half-fig_3", "gap-fig_4"
    )
    assert len(found) == 5
    assert set(found.values()) == {"not testable here"}


def test_runs_in_which_the_reference_did_not_end_are_left_out() -> None:
    tables = as_stated()
    stopped = tables["fig_2"]["method"] == "constraint"
    tables["fig_2"] = tables["fig_2"].assign(certified=(~stopped).astype(int))
    assert verdicts(tables, "faster-milp-fig_2") == {"faster-milp-fig_2": "not testable here"}


def test_runs_that_were_both_stopped_are_not_compared_by_their_time() -> None:
    tables = as_stated()
    stopped = scaled("seconds", 9, GENERATE)(tables["table_1"]).assign(timed_out=1)
    tables["table_1"] = stopped
    assert verdicts(tables, "/slower-table_1") == {"slower-table_1": "not testable here"}


@pytest.mark.parametrize(("ended", "verdict"), [("time", "not testable here"), ("known", "does not hold")])
def test_a_reduced_cost_that_had_no_time_to_vanish_says_nothing(ended: str, verdict: str) -> None:
    tables = as_stated()
    costs = [-2.0, -1.9, -1.8, -1.7, -1.6, -1.5, -1.4, -1.3]
    tables["fig_10"] = pd.DataFrame([history(1, reduced_cost=costs) | {"ended": ended}])
    assert verdicts(tables, "/reduced-cost-fig_10") == {"reduced-cost-fig_10": verdict}


def test_a_line_of_few_points_says_nothing() -> None:
    tables = as_stated()
    short = history(1)
    short["steps"] = json.dumps(json.loads(short["steps"])[:5])
    tables["fig_10"] = pd.DataFrame([short])
    assert verdicts(tables, "/linear-samples-fig_10") == {"linear-samples-fig_10": "not testable here"}


def test_nothing_recorded_is_not_testable() -> None:
    found = verdicts({})
    assert {found[name] for name in found.keys() - ON_PRINT.keys()} == {"not testable here"}


def test_no_verdict_of_pace_differs_from_the_recorded_one() -> None:
    kept = recorded(CHAPTER, "claims")
    if kept is None:
        pytest.skip("no verdicts are recorded yet (compactml claims --record)")
    changed = changed_verdicts(scorecard(CLAIMS, claim_data()), kept)
    assert changed.empty, changed.to_string()
