"""Rule sets as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from compactml.errors import InvalidDataError, check_choice

__all__ = ["RuleList", "Rules"]


def _listed(values: Any) -> bool:
    return isinstance(values, tuple | list)


def _are_texts(values: Any) -> bool:
    return _listed(values) and all(isinstance(one, str) for one in values)


@dataclass(frozen=True, repr=False)
class Rules:
    """A rule set in the words of the training data.

    Attributes
    ----------
    label : object
        Class predicted when the rule set is true.
    form : {"dnf", "cnf"}
    clauses : tuple of tuple of str
        Conditions of each clause, joined by AND in a DNF and by OR in a CNF.
    also_missing : tuple of str
        Conditions that a missing value satisfies too, as SQL's NULL would not.

    Examples
    --------
    >>> from compactml.boolean_rules import Rules
    >>> rules = Rules("ill", "dnf", (("age > 60", "smokes"), ("fever",)))
    >>> rules.complexity
    5
    >>> print(rules)
    ill if
         (age > 60 AND smokes)
      OR (fever)
    """

    label: Any
    form: str
    clauses: tuple[tuple[str, ...], ...]
    also_missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_choice("form", self.form, ("dnf", "cnf"))
        given: Any = self.clauses
        if not _listed(given) or not all(map(_are_texts, given)):
            raise InvalidDataError("clauses", "lists of texts", f"{given!r}"[:80])
        if not _are_texts(self.also_missing):
            raise InvalidDataError("also_missing", "a list of texts", f"{self.also_missing!r}"[:80])

    def __len__(self) -> int:
        return len(self.clauses)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.clauses)

    @property
    def complexity(self) -> int:
        """Number of clauses + number of conditions."""
        return sum(1 + len(clause) for clause in self.clauses)

    def __str__(self) -> str:
        inner, outer = (" AND ", "\n  OR ") if self.form == "dnf" else (" OR ", "\n AND ")
        if not self.clauses:
            return f"{self.label} {'never' if self.form == 'dnf' else 'always'}"
        text = f"{self.label} if\n     " + outer.join(f"({inner.join(clause)})" for clause in self.clauses)
        note = f"\nTrue of missing values too: {', '.join(self.also_missing)}"
        return text + note * bool(self.also_missing)

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class RuleList:
    """Rule sets of several classes, asked one after the other: the first that is true says the class.

    Attributes
    ----------
    stages : tuple of Rules
    otherwise : object
        Class where none is true.

    Examples
    --------
    >>> from compactml.boolean_rules import RuleList, Rules
    >>> rules = RuleList((Rules("ill", "dnf", (("age > 60", "smokes"), ("fever",))),), "well")
    >>> rules.complexity
    5
    >>> print(rules)
    ill if
         (age > 60 AND smokes)
      OR (fever)
    else well
    """

    stages: tuple[Rules, ...]
    otherwise: Any

    def __post_init__(self) -> None:
        given: Any = self.stages
        if not _listed(given) or not all(isinstance(one, Rules) for one in given):
            raise InvalidDataError("stages", "a list of Rules", f"{given!r}"[:80])

    def __len__(self) -> int:
        return len(self.stages)

    def __iter__(self) -> Iterator[Rules]:
        return iter(self.stages)

    def __getitem__(self, stage: int) -> Rules:
        return self.stages[stage]

    @property
    def complexity(self) -> int:
        """Number of clauses + number of conditions in all."""
        return sum(rules.complexity for rules in self.stages)

    def __str__(self) -> str:
        return "\nelse ".join([*map(str, self.stages), str(self.otherwise)])

    __repr__ = __str__
