"""A program beside the code of another commit: prints the keys of a table's trials as that code makes them.

It imports that commit's package, not this one, and reads its orders on standard input as JSON. Older layouts of the
package are known here and nowhere else.
"""

from __future__ import annotations

import json
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def module(*names: str) -> Any:
    """Return the first of some modules that this commit has."""
    for name in names:
        try:
            found = find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is not None:
            return import_module(name)
    raise ModuleNotFoundError(f"none of {', '.join(names)}")


def asked_trials(order: dict[str, Any]) -> tuple[Any, dict[str, list[Any]]]:
    """Return the chapter and the trials of its table by profile."""
    chapters = module("compactml.chapters", "compactml.experiments")
    if chapters.__name__ == "compactml.chapters":
        chapter = chapters.chapter(order["chapter"])
        lists = {name: chapter.trials(order["table"], name) for name in order["profiles"]}
    else:
        folder = order["chapter"].replace("-", "_")
        chapter = import_module(f"compactml.experiments.{folder}").EXPERIMENT
        profile = module("compactml.experiments.profiles").Profile
        lists = {name: chapter.trials(order["table"], profile(name)) for name in order["profiles"]}
    return chapter, lists


def main() -> None:
    """Print the key of every trial whose data are at hand, and the hash of the code of every kind."""
    order = json.load(sys.stdin)
    fingerprint = module("compactml.study.keys.fingerprint", "compactml.experiments.fingerprint")
    engine = module("compactml.study.running.engine", "compactml.experiments.engine")
    store = module(
        "compactml.study.storing.store", "compactml.study.running.store", "compactml.experiments.store"
    ).Store
    chapter, by_profile = asked_trials(order)
    trials = list(dict.fromkeys(trial for some in by_profile.values() for trial in some))
    first = not hasattr(fingerprint, "FORMULA")
    if first:  # the versions of the run in place of those that are installed here
        fingerprint.version = lambda library: order["versions"][library.replace("-", "_")]
    with tempfile.TemporaryDirectory() as folder, store(Path(folder) / "empty.sqlite") as opened:
        planned = engine.plan(chapter, trials, opened)
    codes = {} if first else {trial.kind: parts.code for trial, parts in planned.parts.items()}
    answer = {
        "keys": {trial.canonical(): key for trial, key in planned.keys.items()},
        "specifications": {name: [one.canonical() for one in some] for name, some in by_profile.items()},
        "not_at_hand": sorted({trial.dataset for trial in planned.not_at_hand}),
        "codes": codes,
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
