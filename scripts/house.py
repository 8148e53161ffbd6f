"""Measure the structure of the sources against what CONTRIBUTING says of it, and list what falls short.

Run by ``make house``. Counts modules of a folder, lines of a module, circles of imports, imports between chapters,
names that say nothing and live long, and the Python and ``glue(`` calls in notebooks.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grimp
import jupytext

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "compactml"
EMPTY_NAMES = frozenset({"own", "one", "found", "known", "judged", "reproduced", "plain"})
LONG = 3
"""Lines that a name of these may live."""


@dataclass(frozen=True)
class Measure:
    """One figure beside what is allowed.

    Attributes
    ----------
    what : str
    figure, allowed : int
    worst : tuple of str
        What stands out, in words.
    """

    what: str
    figure: int
    allowed: int
    worst: tuple[str, ...] = ()

    @property
    def falls_short(self) -> bool:
        """Whether the figure is above what is allowed."""
        return self.figure > self.allowed

    def __str__(self) -> str:
        mark = "  <-- too many" if self.falls_short else ""
        lines = [f"{self.what:<44} {self.figure:>6} of at most {self.allowed}{mark}"]
        return "\n".join([*lines, *(f"    {text}" for text in (self.worst if self.falls_short else ()))])


def folders(allowed: int = 22) -> Measure:
    """Modules in the fullest folder, package faces not counted."""
    counts = Counter(path.parent for path in SOURCES.rglob("*.py") if path.name != "__init__.py")
    full = tuple(f"{path.relative_to(ROOT)}: {n}" for path, n in counts.most_common() if n > allowed)
    return Measure("modules in the fullest folder", max(counts.values()), allowed, full)


def modules(allowed: int = 300) -> Measure:
    """Lines of the longest module."""
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES.rglob("*.py")}
    long = tuple(f"{path.relative_to(ROOT)}: {n}" for path, n in sorted(lines.items()) if n > allowed)
    return Measure("lines of the longest module", max(lines.values()), allowed, long)


def between_chapters(graph: grimp.ImportGraph) -> Measure:
    """Imports from one chapter to another."""
    crossing = sorted(
        f"{module} imports {other}"
        for module in graph.modules
        for other in graph.find_modules_directly_imported_by(module)
        if (here := chapter_of(module)) and (there := chapter_of(other)) and here != there
    )
    return Measure("imports between chapters", len(crossing), 0, tuple(crossing))


def chapter_of(module: str) -> str:
    """Return the chapter that a module belongs to, empty for none."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["compactml", "chapters"] and len(parts) > 3 else ""


def circles(graph: grimp.ImportGraph) -> Measure:
    """Groups of modules that import each other, imports for type checkers counted too."""
    groups = sorted(" <-> ".join(sorted(group)) for group in components(graph) if len(group) > 1)
    return Measure("circles of imports", len(groups), 0, tuple(groups))


def components(graph: grimp.ImportGraph) -> Iterator[frozenset[str]]:
    """Return the strongly connected components: what reaches a module and is reached by it."""
    left = {module for module in graph.modules if graph.find_modules_directly_imported_by(module)}
    while left:
        module = left.pop()
        group = {module} | (graph.find_upstream_modules(module) & graph.find_downstream_modules(module))
        left -= group
        yield frozenset(group)


def empty_names() -> Measure:
    """Bindings of names that say nothing, which are used more than a few lines below."""
    places = tuple(
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sorted(SOURCES.rglob("*.py"))
        for line, name in long_lived(ast.parse(path.read_text(encoding="utf-8")))
    )
    return Measure("empty names that live long", len(places), 0, places)


def long_lived(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of each binding of an empty name in a scope that is read more than `LONG` lines below."""
    for scope in ast.walk(tree):
        if isinstance(scope, ast.FunctionDef | ast.ClassDef) and scope.name in EMPTY_NAMES:
            yield scope.lineno, scope.name
        if isinstance(scope, ast.FunctionDef | ast.Lambda):
            lines: dict[str, list[int]] = {}
            for node in ast.walk(scope):
                name = node.arg if isinstance(node, ast.arg) else getattr(node, "id", "")
                if name in EMPTY_NAMES:
                    lines.setdefault(str(name), []).append(getattr(node, "lineno", 0))
            for name, where in lines.items():
                if max(where) - min(where) > LONG:
                    yield min(where), name


CAPTION = re.compile(r"\s*(?:finding|drawn|fold)=\"[^\"]*\",?$")
"""A line that holds a caption and nothing else."""
WORD = re.compile(r"\w")
TUTORIALS = "use"
"""Their folder."""


def notebooks(
    lines_allowed: int = 600, tutorial_allowed: int = 90, glue_allowed: int = 40
) -> tuple[Measure, Measure, Measure]:
    """Lines of Python in the notebooks, and their calls of ``glue``.

    A caption is prose: its line does not count, as it did not when captions stood in the head of a cell. Neither does
    a line that holds brackets only. Tutorials show the calls that a user copies, so that theirs are counted apart, a
    page at a time.
    """
    lines: dict[str, int] = {}
    calls: dict[str, int] = {}
    tutorials: dict[str, int] = {}
    for path in sorted((ROOT / "notebooks").rglob("*.md")):
        cells = [cell for cell in jupytext.read(path).cells if cell.cell_type == "code"]
        code = [
            line
            for cell in cells
            for line in cell.source.splitlines()
            if WORD.search(line) and not CAPTION.match(line)
        ]
        name = str(path.relative_to(ROOT))
        (tutorials if path.parent.name == TUTORIALS else lines)[name] = len(code)
        calls[name] = sum(line.count("glue(") for line in code)
    each = [tuple(f"{name}: {n}" for name, n in counts.items() if n) for counts in (lines, tutorials, calls)]
    return (
        Measure("lines of Python in notebooks", sum(lines.values()), lines_allowed, each[0]),
        Measure(
            "lines of Python in the longest tutorial", max(tutorials.values()), tutorial_allowed, each[1]
        ),
        Measure("calls of glue in notebooks", sum(calls.values()), glue_allowed, each[2]),
    )


def measures() -> list[Measure]:
    """Return all figures."""
    graph = grimp.build_graph("compactml", cache_dir=None)
    return [
        folders(),
        modules(),
        between_chapters(graph),
        circles(graph),
        empty_names(),
        *notebooks(),
    ]


def main() -> None:
    """Print the figures; the exit code says whether one falls short."""
    figures = measures()
    for figure in figures:
        print(figure)
    sys.exit(int(any(figure.falls_short for figure in figures)))


if __name__ == "__main__":
    main()
