"""The built book and a browser to look at it."""

import functools
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, sync_playwright

from print_book import BROWSERS
from tests.book.built_book import EXTENSIONS, HTML

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


def missing(reason: str) -> NoReturn:
    """Skip a test, or fail it where the pages must be looked at."""
    if os.environ.get("COMPACTML_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def html() -> Path:
    if not (HTML / "index.html").is_file():
        missing("the book is not built: run `make book`")
    return HTML


@pytest.fixture
def sphinx_extension(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Import one of the book's own Sphinx extensions, by its name, until the test ends."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    names = []

    def imported(name: str) -> ModuleType:
        names.append(name)
        return import_module(name)

    yield imported
    for name in names:
        sys.modules.pop(name)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def address(html: Path) -> Iterator[str]:
    """Serve the book on this machine only."""
    handler = functools.partial(Quiet, directory=str(html))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        missing(f"no browser on PATH: {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield started
        started.close()
