"""The process that calls: `python -m tests.fuzz.child PACKAGE INPUTS SEED TARGET FIRST` writes how each input ended.

Its memory is bounded, so that an input that asks for too much ends with a MemoryError, which is not allowed.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import signal
import sys
import tempfile
import warnings
from typing import Any

from tests.fuzz.calling import called, drawn
from tests.fuzz.targets import targets_of

FOLDER = tempfile.TemporaryDirectory()
MEMORY = 3 << 30
PATIENCE = 60
"""Seconds of one input."""


def _too_long(*_: Any) -> None:
    raise TimeoutError(f"more than {PATIENCE} s")


def main(package: str, inputs: int, seed: int, begin: str = "", first: int = 0, only: str = "") -> None:
    """Call each target of a package with so many inputs, from an input of one of them on."""
    faulthandler.enable()
    os.chdir(FOLDER.name)  # what is written by a name that was drawn lands there
    os.environ["COMPACTML_DATA"] = FOLDER.name  # nothing is at hand, nothing is fetched
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_long)
    warnings.simplefilter("ignore")
    for target in targets_of(package):
        if target.name < begin or only not in target.name:
            continue
        for index in range(first if target.name == begin else 0, inputs):
            print(json.dumps({"target": target.name, "index": index}), flush=True)
            signal.alarm(PATIENCE)
            ending = called(target, drawn(target, index, seed))
            signal.alarm(0)
            print(json.dumps({"kind": ending.kind, "text": ending.text}), flush=True)


if __name__ == "__main__":
    name, inputs, seed, begin, first, *only = sys.argv[1:]
    main(name, int(inputs), int(seed), begin, int(first), *only)
