"""`fetch` against a local server that misbehaves: only the registered bytes ever get into place."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from compactml.datasets import ChecksumMismatch, DownloadFailed, UnknownDataset, download, fetch, transfer
from compactml.errors import InvalidParameterError
from tests.datasets.toy_data import CONTENT, place

HALF = len(CONTENT) // 2
PIECE = 1 << 16
BAD = ["corrupt", "longer", "truncated", "stalled", "404", "500", "unreachable"]


@dataclass
class Server:
    """The address, the requests that came (path, Range header), and the bytes of the toy file given out."""

    url: str = ""
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    sent: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    def source(self, behaviour: str) -> str:
        return "http://127.0.0.1:9/toy.csv" if behaviour == "unreachable" else f"{self.url}/{behaviour}"


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            behaviour, wanted = self.path.strip("/"), self.headers.get("Range")
            server.requests.append((behaviour, wanted))
            if behaviour in ("404", "500"):
                self.send_error(int(behaviour))
            elif behaviour.startswith("404/"):
                self.send_error(404)
            elif behaviour in ("busy", "closed"):
                self.send_response(503)
                self.send_header("Retry-After", "7" if behaviour == "busy" else "9999")
                self.end_headers()
            elif behaviour == "redirect":
                self.send_response(302)
                self.send_header("Location", f"{server.url}/good")
                self.end_headers()
            else:
                self._file(behaviour, int(wanted[len("bytes=") : -1]) if wanted else 0)

        def _file(self, behaviour: str, start: int) -> None:
            content = {"corrupt": b"!" + CONTENT[1:], "longer": CONTENT * 200}.get(behaviour, CONTENT)
            if behaviour in ("good", "breaks_once") and start >= len(content):
                self.send_error(416)
                return
            if behaviour == "other_range":  # answers with a range, but not the one that was asked for
                start, ranged = 0, True
            else:
                ranged = start > 0 and behaviour in ("good", "breaks_once")
            body = content[start:] if ranged else content
            self.send_response(206 if ranged else 200)
            self.send_header("Content-Length", str(len(body)))
            if ranged:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.end_headers()
            broken = behaviour in ("truncated", "stalled") or (behaviour == "breaks_once" and not ranged)
            self._send(body[:HALF] if broken else body)
            if behaviour == "stalled":
                server.released.wait(10)

        def _send(self, body: bytes) -> None:
            for start in range(0, len(body), PIECE):
                piece = body[start : start + PIECE]
                server.sent += len(piece)  # before it goes out: the client may be done before the next line
                try:
                    self.wfile.write(piece)
                except ConnectionError:  # the client had enough
                    return

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    state = Server()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(state)) as listener:
        state.url = f"http://127.0.0.1:{listener.server_port}"
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        yield state
        state.released.set()
        listener.shutdown()
        thread.join()


def test_a_file_is_downloaded_once_and_nothing_else_is_left(server, folders, toy_registry, capfd):
    toy_registry(server.source("good"))
    (path,) = fetch("toy")
    assert path == folders[1] / "toy" / "toy.csv"
    assert path.read_bytes() == CONTENT
    assert list(path.parent.iterdir()) == [path]
    assert fetch("toy") == [path]
    assert server.requests == [("good", None)]
    assert capfd.readouterr().err == ""  # no bar where stderr is no terminal


def test_a_redirect_is_followed(server, folders, toy_registry):
    toy_registry(server.source("redirect"))
    assert fetch("toy")[0].read_bytes() == CONTENT


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stalled source is given up soon; only where requests are not counted, since a busy machine stalls too."""
    monkeypatch.setattr(transfer, "SILENCE_SECONDS", 0.4)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between attempts are short."""
    monkeypatch.setattr(download, "PAUSE_SECONDS", 0.01)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("bad", BAD)
def test_a_bad_source_is_passed_over(server, folders, toy_registry, bad):
    toy_registry(server.source(bad), server.source("good"))
    assert fetch("toy")[0].read_bytes() == CONTENT


def test_a_mirror_is_asked_first(server, folders, toy_registry, monkeypatch):
    toy_registry(server.source("good"))
    monkeypatch.setenv(download.MIRROR, f"{server.url}/")
    assert fetch("toy")[0].read_bytes() == CONTENT
    assert server.requests == [("toy/toy.csv", None)]


def test_a_mirror_without_the_file_is_passed_over_and_one_that_is_no_address_refused(
    server, folders, toy_registry, monkeypatch
):
    toy_registry(server.source("good"))
    monkeypatch.setenv(download.MIRROR, server.source("404"))
    assert fetch("toy")[0].read_bytes() == CONTENT
    folders[1].joinpath("toy", "toy.csv").unlink()
    monkeypatch.setenv(download.MIRROR, "mirror.example.org")
    with pytest.raises(
        InvalidParameterError, match=r"COMPACTML_MIRROR: must be an address .* 'mirror\.example"
    ):
        fetch("toy")


def test_pauses_between_attempts_grow_and_follow_the_source(server, folders, toy_registry, monkeypatch):
    slept = []
    monkeypatch.setattr(download.time, "sleep", slept.append)
    toy_registry(server.source("500"))
    with pytest.raises(DownloadFailed, match=r"500 Server Error.*3 attempts"):
        fetch("toy")
    assert slept == [0.01, 0.02]
    toy_registry(server.source("busy"))
    with pytest.raises(DownloadFailed, match=r"503 Server Error.*asks to wait 7 s"):
        fetch("toy")
    assert slept[2:] == [7.0, 7.0]
    toy_registry(server.source("closed"))
    with pytest.raises(DownloadFailed, match=r"503 Server Error.*asks to wait 9999 s"):
        fetch("toy")
    assert len(slept) == 4  # nobody waits for hours


def test_a_file_that_is_too_long_is_not_taken_to_its_end(server, folders, toy_registry):
    toy_registry(server.source("longer"))
    with pytest.raises(DownloadFailed):
        fetch("toy")
    assert server.sent < 100 * len(CONTENT)  # of 200; what the sockets buffer is beyond control


@pytest.mark.usefixtures("impatient")
def test_without_a_good_source_the_error_says_all_and_no_file_appears(server, folders, toy_registry):
    sources = [server.source(bad) for bad in BAD]
    toy_registry(*sources)
    with pytest.raises(DownloadFailed) as caught:
        fetch("toy")
    destination = folders[1] / "toy" / "toy.csv"
    assert [url for url, _ in caught.value.reasons] == sources
    assert all(reason for _, reason in caught.value.reasons)
    assert all(url in str(caught.value) for url in sources)
    assert str(destination) in str(caught.value)
    assert not destination.exists()


def test_a_broken_transfer_continues_where_it_stopped(server, folders, toy_registry):
    toy_registry(server.source("breaks_once"))
    assert fetch("toy")[0].read_bytes() == CONTENT
    (_, first), (_, second) = server.requests
    assert first is None
    start = int(second.removeprefix("bytes=").removesuffix("-"))
    assert start == HALF
    assert server.sent == len(CONTENT)  # nothing is asked for twice


def test_a_transfer_continues_in_a_later_call(server, folders, toy_registry):
    toy_registry(server.source("good"))
    _leave_part(server, folders[1], CONTENT[:1000])
    assert fetch("toy")[0].read_bytes() == CONTENT
    assert server.requests == [("good", "bytes=1000-")]


@pytest.mark.parametrize("left", [b"!" * 1000, b"!" * len(CONTENT), CONTENT + b"more"])
def test_a_wrong_part_costs_a_second_attempt_and_no_more(server, folders, toy_registry, left):
    toy_registry(server.source("good"))
    _leave_part(server, folders[1], left)
    path = fetch("toy")[0]
    assert path.read_bytes() == CONTENT
    assert list(path.parent.iterdir()) == [path]


def test_a_complete_part_needs_no_request(server, folders, toy_registry):
    toy_registry(server.source("good"))
    _leave_part(server, folders[1], CONTENT)
    assert fetch("toy")[0].read_bytes() == CONTENT
    assert server.requests == []


@pytest.mark.parametrize("behaviour", ["whole_only", "other_range"])
def test_a_server_that_ignores_the_range_starts_over(server, folders, toy_registry, behaviour):
    toy_registry(server.source(behaviour))
    _leave_part(server, folders[1], CONTENT[:1000], behaviour)
    assert fetch("toy")[0].read_bytes() == CONTENT
    assert server.requests == [(behaviour, "bytes=1000-")]


def test_a_part_is_not_continued_from_another_source(server, folders, toy_registry):
    toy_registry(server.source("truncated"), server.source("good"))
    assert fetch("toy")[0].read_bytes() == CONTENT
    assert server.requests[-1] == ("good", None)


def test_a_file_at_hand_is_not_downloaded(server, folders, toy_registry):
    toy_registry(server.source("good"))
    path = place(folders[0], CONTENT)
    assert fetch("toy") == [path]
    assert server.requests == []


def test_a_corrupt_file_in_the_cache_is_replaced(server, folders, toy_registry):
    toy_registry(server.source("good"))
    place(folders[1], CONTENT[:-1])
    assert fetch("toy")[0].read_bytes() == CONTENT


def test_a_corrupt_file_in_the_own_folder_is_reported_and_left_alone(server, folders, toy_registry):
    toy_registry(server.source("good"))
    path = place(folders[0], CONTENT[:-1])
    with pytest.raises(ChecksumMismatch):
        fetch("toy")
    assert path.read_bytes() == CONTENT[:-1]
    assert server.requests == []


def test_a_file_without_a_hash_is_not_downloaded(server, folders, toy_registry):
    toy_registry(server.source("good"), pinned=False)
    with pytest.raises(DownloadFailed, match=r"no SHA-256 is registered"):
        fetch("toy")
    assert server.requests == []
    path = place(folders[1], CONTENT)
    assert fetch("toy") == [path]


def test_fetch_refuses_an_unknown_key():
    with pytest.raises(UnknownDataset):
        fetch("no such set")


def _leave_part(server: Server, cache: Path, content: bytes, behaviour: str = "good") -> None:
    """Put a partial download where a killed run would have left it."""
    part = cache / "toy" / download.part_name("toy.csv", server.source(behaviour))
    part.parent.mkdir(parents=True)
    part.write_bytes(content)
