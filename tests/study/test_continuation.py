"""Which recorded trials count as done, which are repeated, and where raw trials and repetitions stand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import grimp
import pytest

from compactml.chapters import chapter
from compactml.study import Finished, Trial
from compactml.study.keys.fingerprint import KeyParts
from compactml.study.recording.clocked import SHARING, differing, is_clocked, may_be_ended_by_clock
from compactml.study.recording.continuation import candidates
from compactml.study.recording.recorded_trials import FOLDER, MOST_BYTES, append_trials, read_trials, size_of
from compactml.study.recording.repetitions import counted, first_repetitions, whole_datasets
from compactml.study.running.provenance import Provenance

THEN, NOW = "a" * 64, "b" * 64
PLAIN: dict[str, Any] = {
    "package": "0.1", "commit": "c" * 40, "dirty": False, "python": "3.11", "numpy": "2", "scipy": "1",
    "scikit_learn": "1.9", "numba": "0.6", "solver": None, "cpu": "Model", "cpu_count": 2, "seed": 0,
    "threads": 1, "time_limit": None, "gap": None, "bound": None, "seconds": 1.0, "peak_memory_mib": 1.0,
    "data_source": "", "profile": "standard", "utc": "2026-01-01T00:00:00+00:00",
}  # fmt: skip


def parts(code: str = NOW, data: str = "d", **solvers: object) -> KeyParts:
    return KeyParts(code, {"numpy": "2"}, solvers or None, data)


def item(trial: Trial, key: KeyParts, result: Mapping[str, Any] | None = None, **changes: object) -> Finished:
    made_of = {
        "run_id": key.key(trial)[:12], "code_sha256": key.code, "libraries": dict(key.libraries),
        "solvers": key.solvers, "data_sha256": key.data, "formula": key.formula,
    }  # fmt: skip
    found = {"value": trial.seed / 3, "seconds": 1.0} if result is None else dict(result)
    return Finished(trial, found, Provenance(**PLAIN | made_of | changes), cached=False)


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


TRIALS = [
    Trial("toy", "kind", dataset, method, seed=seed, time_limit=100.0)
    for dataset in ("iris", "wine")
    for method in ("x", "y")
    for seed in range(30)
]
ASKED = dict.fromkeys(TRIALS, parts())


def test_the_key_of_now_is_done_and_other_code_may_be() -> None:
    recorded = [item(TRIALS[0], parts()), *(item(one, parts(THEN)) for one in TRIALS[:5])]
    recorded += [item(TRIALS[6], parts(THEN, "other data")), item(TRIALS[7], parts(THEN, solver="highs"))]
    found = candidates(ASKED, recorded)
    assert list(found.done) == TRIALS[:1]
    assert [set(one.recorded) for one in found.groups] == [set(TRIALS[1:5])]


def test_a_trial_that_lacked_a_processor_is_run_again() -> None:
    starved = [item(TRIALS[0], parts(), starved=True), item(TRIALS[1], parts(THEN), starved=True)]
    found = candidates(ASKED, [*starved, item(TRIALS[2], parts())])
    assert (list(found.done), found.groups) == ([TRIALS[2]], [])
    later = [starved[0], item(TRIALS[0], parts())]
    assert candidates(ASKED, later).done[TRIALS[0]] is later[1]


def test_the_latest_recorded_counts() -> None:
    first, last = (item(TRIALS[0], parts(code), {"value": code}) for code in (THEN, "e" * 64))
    (group,) = candidates(ASKED, [first, last]).groups
    assert group.recorded[TRIALS[0]] is last


def test_a_draw_is_the_same_again_and_goes_over_datasets_and_methods() -> None:
    recorded = [item(one, parts(THEN)) for one in TRIALS]
    (group,) = candidates(ASKED, recorded).groups
    assert len(group.drawn()) == 3  # 2 % of 120
    assert len({(one.dataset, one.method) for one in group.drawn()}) == 3
    (again,) = candidates(ASKED, recorded[::-1]).groups
    assert again.drawn() == group.drawn()


def test_equal_trials_let_the_rest_count_and_name_both_codes() -> None:
    (group,) = candidates(ASKED, [item(one, parts(THEN)) for one in TRIALS]).groups
    again = {one: item(one, parts(), {"value": one.seed / 3, "seconds": 9.0}) for one in group.drawn()}
    found = group.judge(again)
    assert str(found) == "repeated 3 of 120 kind trials recorded at ccccccccc: equal; 117 count as done"
    assert (found.as_dict()["code"], found.as_dict()["code_now"]) == (THEN, NOW)


def test_a_group_that_is_all_repeated_says_so() -> None:
    (group,) = candidates(ASKED, [item(one, parts(THEN)) for one in TRIALS[:3]]).groups
    found = group.judge({one: item(one, parts()) for one in TRIALS[:3]})
    assert found.counts
    assert "repeated all 3 kind trials recorded at ccccccccc: equal; none is left" in str(found)


def test_what_was_repeated_and_not_compared_is_not_left() -> None:
    (group,) = candidates(ASKED, [item(one, parts(THEN)) for one in TRIALS[:5]]).groups
    again = {one: item(one, parts(), seconds=99.0 if one is TRIALS[0] else 1.0) for one in TRIALS[:4]}
    assert "repeated 3 of 5 kind trials" in str(group.judge(again))
    assert "equal; 1 count as done" in str(group.judge(again))


def test_a_difference_in_the_last_bit_starts_anew() -> None:
    (group,) = candidates(ASKED, [item(one, parts(THEN)) for one in TRIALS]).groups
    again = {one: item(one, parts()) for one in group.drawn()}
    changed = group.drawn()[1]
    again[changed] = item(changed, parts(), {"value": changed.seed / 3 + 1e-15, "seconds": 1.0})
    found = group.judge(again)
    assert not found.counts
    assert f"value of {changed.label()} differ" in str(found)


def test_too_few_trials_that_no_clock_ended_start_anew() -> None:
    """Also where only the repeated ones were ended."""
    slow = [item(one, parts(THEN), seconds=1.0 if i < 2 else 99.0) for i, one in enumerate(TRIALS)]
    (group,) = candidates(ASKED, slow).groups
    assert group.drawn() == []
    assert "only 2 of them" in str(group.judge({}))
    (group,) = candidates(ASKED, [item(one, parts(THEN)) for one in TRIALS]).groups
    assert not group.judge({one: item(one, parts(), seconds=99.0) for one in group.drawn()}).counts


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({"seconds": 95.0}, {}),
        ({"backends": ({"statuses": {"no solution": 1}},)}, {}),
        ({"backends": ({"statuses": {"optimal": 3, "feasible": 1}},)}, {}),
        ({}, {"timed_out": 1}),
        ({}, {"outcome": "time limit"}),
        ({}, {"ended": "time"}),
    ],
)
def test_a_clock_may_have_ended_a_trial(changes: dict[str, Any], result: dict[str, Any]) -> None:
    assert may_be_ended_by_clock(item(TRIALS[0], parts(), result, **changes))
    assert not may_be_ended_by_clock(item(TRIALS[0], parts(), seconds=94.0))
    free = Trial("toy", "kind", "iris")
    assert not may_be_ended_by_clock(item(free, parts(), result, **changes))


@pytest.mark.parametrize(
    ("chapter", "kind", "strict"),
    [
        ("boolean-rules", "nested", True),
        ("boolean-rules", "engine", False),
        ("ensemble-pruning", "program", True),
        ("ensemble-pruning", "baseline", False),
        ("pace", "compress", True),
        ("pace", "fipe", False),
        ("feature-selection", "certified", False),
    ],
)
def test_methods_that_share_their_limit_are_beyond_doubt_below_the_smallest_share(
    chapter: str, kind: str, strict: bool
) -> None:
    """Both seconds are below 95 % of the limit, and nothing else says that a clock ended anything."""
    one = Trial(chapter, kind, "iris", time_limit=100.0)
    assert may_be_ended_by_clock(item(one, parts(), seconds=6.0)) is strict
    assert not may_be_ended_by_clock(item(one, parts(), seconds=4.0))


def test_kinds_that_share_their_limit_exist() -> None:
    for name, kinds in SHARING.items():
        assert kinds <= {kind.name for kind in chapter(name).kinds}


def test_columns_are_compared_bit_by_bit() -> None:
    assert is_clocked("pace", "seconds_first")
    assert is_clocked("condition-sharing", "peak_mib")
    assert not is_clocked("boolean-rules", "nodes_2")
    assert differing("toy", {"a": 1.0, "b": 0.0}, {"a": 1, "b": -0.0, "c": 1}) == ["a", "b", "c"]
    assert differing("toy", {"a": 1.0}, {"a": 1.0, "c": None}) == []  # a column without a value is none


def test_raw_trials_are_added_once_and_read_back(tmp_path: Path) -> None:
    items = [item(one, parts(THEN)) for one in TRIALS[:4]]
    path = append_trials(tmp_path, "run", items[:2], write)
    assert path is not None
    before = path.read_bytes()
    assert append_trials(tmp_path, "other", items[:2], write) is None
    append_trials(tmp_path, "run", items, write)
    assert path.read_bytes().startswith(before)
    assert [(one.trial, one.result, one.provenance) for one in read_trials(tmp_path)] == [
        (one.trial, one.result, one.provenance) for one in items
    ]


@pytest.mark.parametrize("cut", [1, 40])
def test_a_damaged_stream_loses_none_before_it(
    tmp_path: Path, cut: int, caplog: pytest.LogCaptureFixture
) -> None:
    items = [item(one, parts(THEN)) for one in TRIALS[:4]]
    append_trials(tmp_path, "run", items[:2], write)
    path = append_trials(tmp_path, "run", items[2:], write)
    assert path == tmp_path / FOLDER / "run.jsonl.xz"
    path.write_bytes(path.read_bytes()[:-cut])
    assert [one.trial for one in read_trials(tmp_path)] == TRIALS[:2]
    assert "git checkout" in caplog.text


def test_repetitions_are_kept_and_counted() -> None:
    single = Trial("toy", "once", "iris")
    trials = [*TRIALS, single]
    few = first_repetitions(trials, 2)
    assert len(few) == 4 * 2 + 1
    assert {one.seed for one in few} == {0, 1}
    assert first_repetitions(trials, None) == trials
    assert str(counted(trials, set(few), set(trials))) == "2 of 30 repetitions are recorded, 28 missing"
    assert counted(trials, set(few) - {TRIALS[0]}, set(trials)).there == 1
    assert counted(trials, set(few) - {TRIALS[0]}, set(trials) - {TRIALS[0]}).there == 2
    assert counted([single], {single}, {single}).asked == 1


def test_a_dataset_is_whole_once_all_its_trials_are_there() -> None:
    names = {one.dataset for one in TRIALS}
    first, *_ = sorted(names)
    of_first = [one for one in TRIALS if one.dataset == first]
    assert whole_datasets(TRIALS, set(of_first[1:]), set(TRIALS)) == ([], [first])
    assert whole_datasets(TRIALS, set(of_first), set(TRIALS)) == (of_first, [])
    assert whole_datasets(TRIALS, set(of_first[1:]), set(of_first[1:])) == (
        TRIALS,
        [],
    )  # no data for the rest


def test_no_notebook_reaches_recorded_trials() -> None:
    """Only the command line imports what reads them; the engine, which notebooks call, has no path to them."""
    graph = grimp.build_graph("compactml", cache_dir=None)
    raw = "compactml.study.recording.recorded_trials"
    readers = {name for name in graph.find_downstream_modules(raw) if not name.startswith("compactml.cli")}
    package = "compactml.study.recording"
    tracing = "compactml.book.tracing"
    names = ("continuation", "continuing", "verifying", "writing")
    assert readers == {tracing, *(f"{package}.{name}" for name in names)}
    above = graph.find_modules_that_directly_import(tracing)
    assert {name.split(".")[1] for name in above} == {"cli"}
    root = Path(__file__).resolve().parents[2]
    for notebook in (root / "notebooks").rglob("*.md"):
        text = notebook.read_text(encoding="utf-8")
        assert not any(
            name in text
            for name in ("recorded_trials", "continuation", "recording.continuing", "recording.writing")
        )


def test_raw_trials_are_small() -> None:
    for folder in (Path(__file__).resolve().parents[2] / "data" / "recorded").iterdir():
        assert size_of(folder) <= MOST_BYTES
