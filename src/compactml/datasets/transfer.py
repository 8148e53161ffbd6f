"""One transfer over HTTP that goes on where it broke off, and that ends: too slow is as bad as silent."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from pathlib import Path

import requests
import urllib3
from tqdm import tqdm

__all__ = ["FAILURES", "TooSlow", "Transfer", "retry_after"]

CONNECT_SECONDS, SILENCE_SECONDS = 10.0, 30.0
"""A source is given up when it does not answer, or sends nothing, for this long."""
ANSWER_SECONDS = 60.0
"""How long the head of an answer may take, whose bytes may come one by one."""
RATE_SECONDS, LEAST_RATE = 30.0, 1024.0
"""So many bytes a second must come, looked at in pieces of so many seconds."""
TOTAL_SECONDS = 3600.0
"""One file from one source, all attempts together."""
CHUNK = 1 << 14
"""Most bytes written at a time; what has come is written at once."""

FAILURES = (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError)
"""What a transfer may raise."""
BUSY = (408, 429, 500, 502, 503, 504)
"""Status codes of a source that may do better later."""


class TooSlow(requests.Timeout):
    """A source sends too little."""


class Transfer:
    """The bytes of one address, into a file that may have the first of them.

    Parameters
    ----------
    url : str
    part : Path
        Grows; it stays when a transfer breaks off.
    size : int or None
        Bytes of the whole file.
    bar : bool
        Show a progress bar on stderr where that is a terminal.
    """

    def __init__(self, url: str, part: Path, size: int | None, bar: bool) -> None:
        self.url, self.part, self.size, self.bar = url, part, size, bar
        self.continued = False
        self._end = time.monotonic() + TOTAL_SECONDS

    def run(self) -> None:
        """Ask for what is missing and write it.

        Raises
        ------
        RequestException, urllib3.exceptions.HTTPError, OSError
        """
        start = self.part.stat().st_size if self.part.exists() else 0
        self.continued = start > 0
        if start and start == self.size:  # a complete part was only not moved into place
            return
        headers = {"Accept-Encoding": "identity"}  # a range of compressed bytes could not be continued
        if start:
            headers["Range"] = f"bytes={start}-"
        with closing(_answer(self.url, headers)) as response:
            if response.status_code == requests.codes.requested_range_not_satisfiable:
                self.part.unlink(missing_ok=True)  # it is longer than the source's file: it is worthless
            response.raise_for_status()
            ranged = response.headers.get("Content-Range", "").startswith(f"bytes {start}-")
            self.continued = response.status_code == requests.codes.partial_content and ranged and start > 0
            self._write(response, start if self.continued else 0)

    def may_do_better(self, error: Exception) -> bool:
        """Return whether another attempt is worth it: after a broken transfer, or wrong bytes behind an old part."""
        if time.monotonic() >= self._end:
            return False
        if isinstance(error, requests.HTTPError) and error.response is not None:
            code = error.response.status_code
            return code in BUSY or (code == requests.codes.requested_range_not_satisfiable and self.continued)
        broken = (
            requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError,
            requests.exceptions.ContentDecodingError, urllib3.exceptions.HTTPError,
        )  # fmt: skip
        return isinstance(error, broken) or self.continued

    def _write(self, response: requests.Response, start: int) -> None:
        shown = tqdm(
            total=self.size, initial=start, unit="B", unit_scale=True, desc=self.part.name.partition(".")[0],
            disable=None if self.bar else True,
        )  # fmt: skip
        looked, came = time.monotonic(), 0
        with shown, self.part.open("ab" if start else "wb", buffering=0) as stream:
            while data := response.raw.read1(CHUNK, decode_content=True):
                stream.write(data)
                shown.update(len(data))
                came += len(data)
                now = time.monotonic()
                if self.size is not None and stream.tell() > self.size:
                    break  # longer than the registered file: the hash refuses it, more need not come
                if now >= self._end:
                    raise TooSlow(f"not done after {TOTAL_SECONDS:.0f} s")
                if now - looked >= RATE_SECONDS:
                    if came < LEAST_RATE * RATE_SECONDS:
                        raise TooSlow(f"only {came} bytes in {now - looked:.0f} s")
                    looked, came = now, 0


def _answer(url: str, headers: dict[str, str]) -> requests.Response:
    """Return the answer to a request, once its head is there.

    A read of the head cannot be given a deadline, only each of its bytes; so it has a thread, which is left behind.
    """
    got: list[requests.Response | Exception] = []
    given_up = threading.Event()

    def ask() -> None:
        try:
            response = requests.get(
                url, headers=headers, timeout=(CONNECT_SECONDS, SILENCE_SECONDS), stream=True
            )
        except Exception as error:
            got.append(error)
            return
        got.append(response)
        if given_up.is_set():
            response.close()

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(ANSWER_SECONDS)
    if not got:
        given_up.set()
        raise TooSlow(f"no answer within {ANSWER_SECONDS:.0f} s")
    if isinstance(got[0], Exception):
        raise got[0]
    return got[0]


def retry_after(error: Exception) -> float:
    """Return how many seconds a source asks to wait; 0 where it says nothing, or a day instead of a number."""
    response = getattr(error, "response", None)
    text = "" if response is None else str(response.headers.get("Retry-After", ""))
    return float(text) if text.isdecimal() else 0.0
