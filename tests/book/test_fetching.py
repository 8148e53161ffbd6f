"""`make book FETCH=1` against a local server: narrow bounds, and nothing that goes wrong fails the build."""

from __future__ import annotations

import hashlib
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType

import pytest

from bookbuild import fetching
from bookbuild.fetching import chosen, fetch_small, missing, quick_datasets
from compactml import datasets
from compactml.chapters import every_chapter
from compactml.datasets import loading, registry
from compactml.datasets.registry import Entry, RegisteredFile
from compactml.datasets.tables import Table
from compactml.study import Chapter, Profile

SIZES = {"small": 100, "middle": 1000, "large": 10_000}
STUCK = threading.Event()


def content(key: str) -> bytes:
    return b"a,class\n" + b"1,x\n" * SIZES[key]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        behaviour, key = self.path.strip("/").split("/")
        if behaviour == "stuck":
            STUCK.wait(20)
        if behaviour == "absent":
            self.send_error(404)
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(content(key) if behaviour == "good" else b"wrong")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Replace the registry by three datasets whose sources behave as the test says."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("COMPACTML_DATA", raising=False)
    monkeypatch.setenv("COMPACTML_CACHE", str(tmp_path / "cache"))
    STUCK.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

        def all_of(**behaviours: str) -> None:
            address = f"http://127.0.0.1:{server.server_port}"
            entries = {key: entry(key, f"{address}/{behaviours.get(key, 'good')}/{key}") for key in SIZES}
            monkeypatch.setattr(registry, "entries", lambda: MappingProxyType(entries))
            monkeypatch.setattr(loading, "LOADERS", dict.fromkeys(SIZES, reader))

        yield all_of
        STUCK.set()
        server.shutdown()


def reader(files: dict[str, Path]) -> object:
    return loading.single_table(Table(), files)


def entry(key: str, source: str) -> Entry:
    data = content(key)
    file = RegisteredFile(key, f"{key}.csv", True, hashlib.sha256(data).hexdigest(), len(data), (source,))
    return Entry(
        key,
        key.capitalize(),
        "classification",
        SIZES[key],
        1,
        {"x": SIZES[key]},
        None,
        "UCI made up",
        "none",
        (file,),
    )


def test_what_comes_is_at_hand(register: Callable[..., None]) -> None:
    register()
    assert fetch_small(["large", "small"]) == ["small", "large"]
    assert datasets.available("small")
    assert not datasets.available("middle")


def test_what_is_at_hand_is_not_asked_for(register: Callable[..., None]) -> None:
    register()
    fetch_small(["small"])
    assert missing(["small", "middle"]) == ["middle"]


def test_the_smallest_come_first_and_the_limit_holds_for_all_together(register: Callable[..., None]) -> None:
    register()
    sizes = {key: len(content(key)) for key in SIZES}
    assert chosen([SIZES], sizes["small"] + sizes["middle"]) == ["small", "middle"]
    assert chosen([SIZES], sizes["small"] + sizes["middle"] - 1) == ["small"]
    assert chosen([SIZES], 0) == []
    assert chosen([["large"], SIZES], sizes["large"] + sizes["small"]) == ["large", "small"]  # group by group


def test_only_what_may_be_passed_on_and_can_be_judged_is_fetched(
    register: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    register()
    every = dict(registry.entries())
    every["small"] = replace(every["small"], upstream="someone's home page")
    (file,) = every["middle"].files
    every["middle"] = replace(every["middle"], files=(replace(file, sha256=None),))
    monkeypatch.setattr(registry, "entries", lambda: MappingProxyType(every))
    assert chosen([SIZES], 10**6) == ["large"]


@pytest.mark.parametrize("behaviour", ["absent", "corrupt"])
def test_a_source_that_fails_is_left_out(register: Callable[..., None], behaviour: str) -> None:
    register(small=behaviour)
    assert fetch_small(SIZES) == ["middle", "large"]


def test_the_time_is_up_whatever_a_source_does(register: Callable[..., None]) -> None:
    register(middle="stuck")
    started = time.perf_counter()
    assert fetch_small(SIZES, seconds=3.0) == ["small"]
    assert time.perf_counter() - started < 15


def test_nothing_is_downloaded_in_continuous_integration(
    register: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    register()
    monkeypatch.setenv("CI", "true")
    assert fetch_small(SIZES) == []
    assert not datasets.available("small")
    assert "FETCH" not in (Path(__file__).resolve().parents[2] / ".ci" / "run").read_text(encoding="utf-8")


def test_the_bounds_are_those_that_the_manual_states() -> None:
    manual = (Path(__file__).resolve().parents[2] / "book" / "reexecute.md").read_text(encoding="utf-8")
    assert f"{fetching.SECONDS:.0f} s and {fetching.BYTES / 1e6:.0f} MB" in manual


def test_the_data_of_the_quick_profile_are_known_by_name() -> None:
    names = quick_datasets()
    assert {"iris", "wdbc"} <= set(names)
    assert not any(name.startswith("synthetic") for name in names)
    assert set(quick_datasets(numbered=True)) < set(names)


NOT_TO_BE_PASSED_ON = {("pace", f"fig_{n}"): name for n, name in ((3, "compas"), (4, "fico_binary"))} | {
    ("pace", f"fig_{n}"): name for n, name in ((6, "compas"), (7, "fico_binary"))
}
"""Figures that the paper draws of one dataset each, which has no licence that lets a build fetch it unasked."""

NUMBERED = [
    (chapter, id)
    for chapter in every_chapter()
    for id in chapter.table_ids
    if re.fullmatch(fetching.NUMBERED, id) and not chapter.table(id).without_trials
]


@pytest.fixture(scope="module")
def within_reach() -> Callable[[str], bool]:
    """Whether a build has a dataset on a machine without any, with what `FETCH=1` brings."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as empty:
        patch.delenv("COMPACTML_DATA", raising=False)
        patch.setenv("COMPACTML_CACHE", empty)
        lacking = {name: missing([name]) for name in quick_datasets(numbered=True)}
        every = [key for keys in lacking.values() for key in keys]
        brought = set(chosen([every], fetching.BYTES))
    return lambda name: brought.issuperset(lacking[name])


@pytest.mark.parametrize(("chapter", "id"), NUMBERED, ids=lambda value: getattr(value, "name", value))
def test_the_quick_profile_runs_something_of_every_table_of_a_paper(
    chapter: Chapter, id: str, within_reach: Callable[[str], bool]
) -> None:
    """On data that come with packages, are generated, or that `FETCH=1` brings; of the table's own datasets."""
    trials = chapter.trials(id, Profile.QUICK)
    live = [one for one in trials if chapter.generated(one) is not None or within_reach(one.dataset)]
    if (chapter.name, id) in NOT_TO_BE_PASSED_ON:
        assert {one.dataset for one in trials} == {NOT_TO_BE_PASSED_ON[chapter.name, id]}
        assert not live
        return
    assert live, f"{chapter.name} {id}: no quick trial on data within reach"
    keys = set(chapter.table(id).datasets.values())
    assert not keys or {one.dataset for one in live} & keys


def test_all_tables_of_the_papers_are_looked_at() -> None:
    assert len(NUMBERED) == 35
