"""One RIPPER by WEKA's JRip, in the environment of ``environments/weka.txt``, whose package holds WEKA's jar.

Run as a program with two ARFF files, training and test, see `compactml.chapters.boolean_rules.trials.ripper`; writes
one line of JSON with what WEKA printed. It imports nothing of this project. Java must be on the machine.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

JAR_SHA256 = "e60ffffbebbb49d1805a2b77075c869706802af93b8e876a8e0ac9a435698cc3"
"""Of the jar of WEKA 3.9.7 that the lock's source package holds."""
JAVA = ("java", "-Xmx6g", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1")
JRIP = "weka.classifiers.rules.JRip"
"""Run with its defaults, as the paper names no others: three folds, two optimisations, least weight 2, seed 1."""


def jar() -> Path:
    """WEKA's jar, once its hash is the one expected."""
    package = find_spec("weka")
    assert package is not None
    assert package.submodule_search_locations is not None
    path = Path(package.submodule_search_locations[0]) / "lib" / "weka.jar"
    if hashlib.sha256(path.read_bytes()).hexdigest() != JAR_SHA256:
        raise ValueError(f"{path.name} is another one than WEKA 3.9.7's")
    return path


def main(train: str, test: str) -> None:
    """Learn on one file, apply to the other, and print what WEKA prints."""
    path = jar()
    said = subprocess.run(
        [*JAVA, "-cp", str(path), JRIP, "-t", train, "-T", test], capture_output=True, text=True, check=True
    ).stdout
    version = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True)
    print(json.dumps({"text": said, "java": version.stderr.splitlines()[0]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
