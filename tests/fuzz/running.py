"""Runs the calling process for a package and says which inputs did not end as they may."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from typing import NamedTuple

from tests.fuzz.calling import Ending
from tests.fuzz.targets import PACKAGES

__all__ = ["Fuzzed", "fuzzed"]


class Fuzzed(NamedTuple):
    """Inputs by target, and those that ended as they may not: target, input, and how."""

    inputs: Counter[str]
    wrong: list[tuple[str, int, str]]


def fuzzed(package: str, inputs: int, seed: int = 0) -> Fuzzed:
    """Call each target of a package with so many inputs, in a process of its own, and in another after each crash."""
    counts: Counter[str] = Counter()
    wrong: list[tuple[str, int, str]] = []
    begin, first = "", 0
    while True:
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.child",
            package,
            str(inputs),
            str(seed),
            begin,
            str(first),
        ]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
        asked = [(one["target"], one["index"]) for one in lines if "target" in one]
        endings = [Ending(**one) for one in lines if "kind" in one]
        counts.update(name for name, _ in asked)
        wrong += [
            (*one, f"{ending.kind}: {ending.text}")
            for one, ending in zip(asked, endings, strict=False)
            if not ending.allowed
        ]
        if ended.returncode == 0:
            return Fuzzed(counts, wrong)
        if not asked:
            raise RuntimeError(ended.stderr[-2000:])
        wrong.append((*asked[-1], f"exit {ended.returncode}: {ended.stderr[:400]}"))
        begin, first = asked[-1][0], asked[-1][1] + 1


def main(inputs: int, seed: int) -> int:
    """Call everything, a line for each input that ended as it may not; the exit code says whether there is one."""
    total, wrong = 0, 0
    for package in PACKAGES:
        found = fuzzed(package, inputs, seed)
        total, wrong = total + found.inputs.total(), wrong + len(found.wrong)
        for name, index, text in found.wrong:
            print(f"{name} input {index} of seed {seed}: {text}", flush=True)
        print(f"{package}: {found.inputs.total()} inputs, {len(found.wrong)} not as they may", flush=True)
    print(f"{total} inputs, each called twice; {wrong} ended as they may not")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
