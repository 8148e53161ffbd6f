"""Compiling must not use up a time limit: the functions that come before the clock leave no kernel uncompiled."""

from __future__ import annotations

import dis
import importlib
import pkgutil
from collections.abc import Callable, Iterator

import pytest
from numba.core.dispatcher import Dispatcher

from compactml.boolean_rules.learning import compile_kernels as compile_boolean_rules
from compactml.ensemble_pruning.averaging.branching import compile_averages
from compactml.ensemble_pruning.compiling import compile_kernels as compile_ensemble_pruning
from compactml.feature_selection.certified.proved_optima import compile_kernels as compile_feature_selection
from compactml.pace._compress import compile_kernels as compile_pace

PACKAGES: dict[str, Callable[[], object]] = {
    "boolean_rules": compile_boolean_rules,
    "ensemble_pruning": lambda: (compile_ensemble_pruning(), compile_averages()),  # votes, and averages
    "feature_selection": compile_feature_selection,
    "pace": compile_pace,
}


def kernels(package: str) -> Iterator[Dispatcher]:
    """Compiled functions that the modules of a package and of its rooms define."""
    path = importlib.import_module(f"compactml.{package}").__path__
    for info in pkgutil.walk_packages(path, f"compactml.{package}."):
        module = importlib.import_module(info.name)
        members = vars(module).values()
        yield from (f for f in members if isinstance(f, Dispatcher) and f.__module__ == module.__name__)


def parts(kernel: Dispatcher) -> Iterator[Dispatcher]:
    """A kernel and all that it calls, which are compiled into it and loaded with it."""
    yield kernel
    loaded = (step.argval for step in dis.get_instructions(kernel.py_func) if step.opname == "LOAD_GLOBAL")
    for name in loaded:  # not `co_names`, which also has attributes: `tree.next_child` is not `next_child`
        called = kernel.py_func.__globals__.get(name)
        if isinstance(called, Dispatcher):
            yield from parts(called)


@pytest.mark.parametrize(("package", "compile_kernels"), PACKAGES.items())
def test_no_kernel_is_left_uncompiled(package: str, compile_kernels: Callable[[], object]) -> None:
    compile_kernels()
    own = set(kernels(package))
    ready = {part for kernel in own if kernel.signatures for part in parts(kernel)}
    assert own
    assert {kernel.__name__ for kernel in own - ready} == set()
