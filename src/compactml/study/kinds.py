"""Kinds of trials, of which a chapter declares some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any

from compactml.errors import check_fields
from compactml.study.trial import Recipe, Trial

if TYPE_CHECKING:  # workers import this module with their trials
    from compactml.study.keys.environments import Environment

__all__ = ["Kind", "kinds_in"]


@dataclass(frozen=True)
class Kind:
    """A kind of trial.

    Attributes
    ----------
    name : str
        As `Trial.kind` spells it.
    run : callable Trial -> result
        A function of a module, since it is pickled by its name. All that its module imports counts as code on which
        its results depend.
    result : type
        Dataclass of plain values that ``run`` returns; its fields are the columns of the results.
    cost : callable Trial -> float
        Rough seconds on one core; decides the order and the estimate of a dry run, never a result.
    generated : callable Trial -> Recipe or None, optional
        How the data of a trial are made whose dataset has no file; None for one that has.
    environment : Environment, optional
        In which it runs a program of others. Where that is not installed, its trials are left out.

    Examples
    --------
    >>> from compactml import chapters
    >>> pace = chapters.chapter("pace")
    >>> pace.kind(pace.trials("table_2", "standard")[0]).name
    'dataset'
    """

    name: str
    run: Callable[[Trial], Any]
    result: type
    cost: Callable[[Trial], float]
    generated: Callable[[Trial], Recipe | None] | None = None
    environment: Environment | None = None

    def __post_init__(self) -> None:
        check_fields(self, name=str, run=Callable, result=type, cost=Callable)

    @property
    def ready(self) -> bool:
        """Whether the environment, if it has one, is installed."""
        return self.environment is None or self.environment.installed


def kinds_in(package: ModuleType) -> tuple[Kind, ...]:
    """Return the kinds that the modules of a package hold, module by module in the order of their names."""
    names = sorted(found.name for found in iter_modules(package.__path__))
    modules = [import_module(f"{package.__name__}.{name}") for name in names]
    held = [value for module in modules for value in vars(module).values() if isinstance(value, Kind)]
    return tuple({kind.name: kind for kind in held}.values())
