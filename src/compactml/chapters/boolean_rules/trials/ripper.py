"""RIPPER as the paper ran it: WEKA's JRip, on the same literals and folds as all other methods.

JRip reads the literals of a fold as attributes with the values 0 and 1, and learns rules for the rarer class. What it
prints is read back, and its rules are carried out here; they must be right on as many rows as WEKA counts. As for CG,
complexity is the number of rules and of their conditions; the default rule has none and does not count.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.boolean_rules.datasets import BY_KEY, SMALL
from compactml.chapters.boolean_rules.trials import weka_program
from compactml.chapters.boolean_rules.trials.folds import BinaryFold, FoldFit, Point, binary_fold, fold_fit
from compactml.study.chapter import Kind
from compactml.study.keys.environments import Environment
from compactml.study.trial import Trial

__all__ = ["ENVIRONMENT", "RIPPER"]

ENVIRONMENT = Environment("weka", files=("environments/weka-build.txt",))
HIGH_DIMENSIONAL = "musk_v2"

Condition = tuple[int, bool]


class RuleList(NamedTuple):
    """JRip's rules: conditions on columns, the class that each predicts, and that of all other rows."""

    rules: list[tuple[tuple[Condition, ...], bool]]
    default: bool

    @property
    def complexity(self) -> int:
        """Rules and conditions."""
        return sum(1 + len(conditions) for conditions, _ in self.rules)

    def predict(self, truth: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The class that the first rule gives whose conditions a row meets."""
        predicted = np.full(len(truth), self.default)
        for conditions, label in reversed(self.rules):
            meets = np.ones(len(truth), dtype=bool)
            for column, value in conditions:
                meets &= truth[:, column] == value
            predicted[meets] = label
        return predicted


def arff(truth: NDArray[np.bool_], y: NDArray[np.bool_]) -> str:
    """Literals and class in WEKA's format."""
    names = [*(f"c{j}" for j in range(truth.shape[1])), "class"]
    rows = np.column_stack([truth, y]).astype(np.uint8) + ord("0")
    text = np.full((len(rows), 2 * len(names)), ord(","), dtype=np.uint8)
    text[:, ::2], text[:, -1] = rows, ord("\n")
    head = "".join(f"@attribute {name} {{0,1}}\n" for name in names)
    return f"@relation fold\n{head}@data\n{text.tobytes().decode('ascii')}"


def rule_list(text: str) -> RuleList:
    """Read the rules that JRip prints, each with the rows that it covers and those of another class among them.

    JRip predicts by the classes of the rows that a rule covers, so a rule with more errors than hits predicts the other
    class than it names; of equally many the first class, 0.

    Raises
    ------
    ValueError
        The last line is no default rule, or their number is not the one that JRip gives.
    """
    lines = re.findall(r"^(.*)=> class=([01]) \(([\d.]+)/([\d.]+)\)", text, re.MULTILINE)
    rules = [
        (
            tuple((int(j), value == "1") for j, value in re.findall(r"\(c(\d+) = ([01])\)", body)),
            _predicted(label == "1", float(covered), float(errors)),
        )
        for body, label, covered, errors in lines
    ]
    counted = re.search(r"^Number of Rules : (\d+)", text, re.MULTILINE)
    if not rules or rules[-1][0] or counted is None or int(counted[1]) != len(rules):
        raise ValueError("JRip's rules could not be read")
    return RuleList(rules[:-1], rules[-1][1])


def _predicted(label: bool, covered: float, errors: float) -> bool:
    """The class of most rows that a rule covers."""
    if 2 * errors == covered:
        return False
    return label if 2 * errors < covered else not label


def correct(text: str) -> list[int]:
    """Rows that WEKA says are right, on the training and on the test part."""
    return [int(n) for n in re.findall(r"^Correctly Classified Instances\s+(\d+)", text, re.MULTILINE)]


def peer_fit(fold: BinaryFold) -> dict[str, Any]:
    """What WEKA prints, and Java's version.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("train.arff", "test.arff")]
        files[0].write_text(arff(fold.train, fold.y_train))
        files[1].write_text(arff(fold.test, fold.y_test))
        answer: dict[str, Any] = json.loads(
            ENVIRONMENT.run(str(weka_program.__file__), *(str(file) for file in files))
        )
    return answer


def run_ripper(trial: Trial) -> FoldFit:
    """JRip on one fold.

    Raises
    ------
    AssertionError
        Its rules, as they were read, are right on other rows than WEKA counts.
    """
    started = time.perf_counter()
    fold = binary_fold(trial)
    answer = peer_fit(fold)
    rules = rule_list(answer["text"])
    right = [
        int((rules.predict(truth) == y).sum())
        for truth, y in ((fold.train, fold.y_train), (fold.test, fold.y_test))
    ]
    if right != correct(answer["text"]):
        raise AssertionError(f"the rules read are right on {right} rows, WEKA says {correct(answer['text'])}")
    n_train, n_test = len(fold.y_train), len(fold.y_test)
    point = Point(None, right[0] / n_train, right[1] / n_test, rules.complexity)
    program = f"WEKA 3.9.7 JRip, {answer['java']}"
    return fold_fit([point], 0, n_train, n_test, time.perf_counter() - started, program)


def cost(trial: Trial) -> float:
    """Rough seconds of one fold on one core."""
    if trial.dataset == HIGH_DIMENSIONAL:
        return 300.0
    return 2.0 if BY_KEY[trial.dataset].partition == SMALL else 60.0


RIPPER = Kind("ripper", run_ripper, FoldFit, cost, environment=ENVIRONMENT)
