"""Sources that misbehave: none ends in a wrong file, none holds a download for ever, each is named with its reason."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from compactml.datasets import DownloadFailed, download, fetch, transfer
from tests.datasets.toy_data import CONTENT

HALF = len(CONTENT) // 2
Behaviour = Callable[[BaseHTTPRequestHandler], None]
SLOW = 0.05  # between two bytes of a drip
ENDS_SECONDS = 60.0  # far above what the limits below allow, on a busy machine too


def answer(
    *headers: str, status: str = "200 OK", body: bytes = CONTENT, length: int | None = -1
) -> Behaviour:
    """Send a status, headers and a body; a length of its own, or none."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        lines = [f"HTTP/1.1 {status}", *headers, "Connection: close"]
        if length is not None:
            lines.append(f"Content-Length: {len(body) if length == -1 else length}")
        handler.wfile.write("\r\n".join([*lines, "", ""]).encode() + body)

    return send


def raw(content: bytes) -> Behaviour:
    return lambda handler: handler.wfile.write(content) and None


def drip(head: bytes) -> Behaviour:
    """Send a head, and then byte by byte without an end."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(head)
        for _ in range(int(ENDS_SECONDS / SLOW)):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(SLOW)

    return send


def reset(handler: BaseHTTPRequestHandler) -> None:
    """Break the connection off within the body."""
    handler.wfile.write(
        f"HTTP/1.1 200 OK\r\nContent-Length: {len(CONTENT)}\r\n\r\n".encode() + CONTENT[:HALF]
    )
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    handler.connection.close()


def stall(handler: BaseHTTPRequestHandler) -> None:
    """Stop within the body."""
    handler.wfile.write(
        f"HTTP/1.1 200 OK\r\nContent-Length: {len(CONTENT)}\r\n\r\n".encode() + CONTENT[:HALF]
    )
    time.sleep(ENDS_SECONDS / 10)


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(100_000):
        handler.wfile.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")


SERVERS: dict[str, tuple[Behaviour, str]] = {
    "other bytes": (answer(body=b"!" + CONTENT[1:]), "not the registered"),
    "a page instead": (answer("Content-Type: text/html", body=b"<html>Please log in</html>"), "SHA-256"),
    "nothing": (answer(body=b""), "SHA-256"),
    "one byte more": (answer(body=CONTENT + b"x"), "SHA-256"),
    "much more": (answer(body=CONTENT * 50), "SHA-256"),
    "no length, and half": (answer(body=CONTENT[:HALF], length=None), "SHA-256"),
    "half": (answer(body=CONTENT[:HALF], length=len(CONTENT)), "3 attempts"),
    "a length that is too short": (answer(length=HALF), "SHA-256"),
    "a negative length": (answer(body=CONTENT[:HALF], length=-7), "SHA-256"),
    "a length that is no number": (
        answer("Content-Length: many", body=CONTENT[:HALF], length=None), f"its {HALF} bytes",
    ),
    "chunks without an end": (
        raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n"), "3 attempts",
    ),
    "chunks that are none": (
        raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabcde\r\n"), "3 attempts",
    ),
    "chunks for ever": (endless, "SHA-256"),
    "gzip that is none": (answer("Content-Encoding: gzip"), "DecodeError.*gzip.*3 attempts"),
    "gzip of other bytes": (answer("Content-Encoding: gzip", body=gzip.compress(b"other")), "SHA-256"),
    "forbidden": (answer(status="403 Forbidden"), "403"),
    "not found": (answer(status="404 Not Found"), "404"),
    "gone": (answer(status="410 Gone"), "410"),
    "no range, to a first request": (answer(status="416 Range Not Satisfiable"), "416"),
    "too many requests": (answer("Retry-After: 1", status="429 Too Many Requests"), "429"),
    "an error": (answer(status="500 Internal Server Error"), "500.*3 attempts"),
    "closed for a day": (answer("Retry-After: 86400", status="503 Unavailable"), "503.*asks to wait 86400 s"),
    "closed until a day": (
        answer("Retry-After: Fri, 31 Dec 1999 23:59:59 GMT", status="503 Unavailable"), "503",
    ),
    "redirects for ever": (answer("Location: /redirects%20for%20ever", status="302 Found"), "redirects"),
    "a redirect to nobody": (answer("Location: http://127.0.0.1:9/", status="302 Found"), "refused"),
    "a redirect to a file": (answer("Location: file:///etc/passwd", status="302 Found"), "InvalidSchema"),
    "no status": (raw(b"hello\r\n\r\n"), "3 attempts"),
    "no answer": (raw(b""), "3 attempts"),
    "a head for ever": (raw(b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 1000), "more than 100 headers"),
    "a broken connection": (reset, "3 attempts"),
    "silence": (stall, "3 attempts"),
    "a drip": (drip(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"), r"TooSlow: only \d+ bytes in"),
    "a head that drips": (drip(b"HTTP/1.1 200 OK\r\nX-Drip: "), "TooSlow: no answer within"),
}  # fmt: skip


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        name = self.path.strip("/").replace("%20", " ").replace("%2C", ",")
        with suppress(OSError):
            (answer() if name == "good" else SERVERS[name][0])(self)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Address of a server; limits are tenths of what they are."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(transfer, "SILENCE_SECONDS", 1.0)
    monkeypatch.setattr(transfer, "ANSWER_SECONDS", 3.0)
    monkeypatch.setattr(transfer, "RATE_SECONDS", 1.0)
    monkeypatch.setattr(download, "PAUSE_SECONDS", 0.02)
    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.daemon_threads, listener.block_on_close = True, False
    thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{listener.server_port}"
    listener.shutdown()
    listener.server_close()
    thread.join()


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".part")


def test_there_are_at_least_25() -> None:
    assert len(SERVERS) >= 25


def test_each_has_a_reason() -> None:
    assert all(reason for _, reason in SERVERS.values())


@pytest.mark.parametrize("bad", SERVERS)
def test_a_source_that_misbehaves(bad: str, url: str, folders, toy_registry) -> None:
    """Alone it ends in one error that names it, beside a good one in the registered bytes."""
    source = f"{url}/{bad.replace(' ', '%20')}"
    toy_registry(source)
    began = time.monotonic()
    with pytest.raises(DownloadFailed, match=rf"(?s)place it by hand as .*{SERVERS[bad][1]}") as caught:
        fetch("toy")
    assert time.monotonic() - began < ENDS_SECONDS
    assert source in str(caught.value)
    assert files(folders[1]) == []
    toy_registry(source, f"{url}/good")
    (path,) = fetch("toy")
    assert path.read_bytes() == CONTENT
    assert files(folders[1]) == ["toy.csv"]
