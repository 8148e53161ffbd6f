"""Execute notebooks with papermill, each in its own process, and keep the results that are still valid."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import jupytext
import nbformat
import papermill
from nbformat import NotebookNode
from tqdm import tqdm
from traitlets.config import Config

from bookbuild.building import end_with_build, workers_end_with_interrupt
from bookbuild.downloads import glued
from bookbuild.keys import notebook_keys
from bookbuild.missing import without_missing
from bookbuild.project import Project, write_text
from compactml.study.page.live import runs_trials

METADATA = "compactml"
"""Name under which an executed notebook says how it was made."""

QUICK_CELL_LIMIT = 1800
"""Seconds for one cell in the quick profile, so that a hang ends; longer profiles have no limit here."""


@dataclass(frozen=True)
class Task:
    """One notebook to execute: its source, its target, where to leave a failed copy, and its parameters."""

    name: str
    source: Path
    target: Path
    failed: Path
    parameters: dict[str, Any]
    defaults: dict[str, Any]
    record: dict[str, str]


def execute_all(
    project: Project, parameters: Mapping[str, Any], *, processes: int, only: Sequence[str] | None = None
) -> list[str]:
    """Execute the notebooks whose key changed, all or ``only`` some, and return the names of those that failed.

    Raises
    ------
    click.ClickException
        A notebook of the table of contents does not exist, no notebook declares one of the parameters, or a process
        that executed notebooks was killed.
    """
    names = project.notebooks() if only is None else list(only)
    tasks = stale_tasks(project, parameters, names)
    failures = []
    try:
        with (
            ProcessPoolExecutor(processes, initializer=end_with_build, initargs=(os.getpid(),)) as pool,
            workers_end_with_interrupt(),
            tqdm(total=len(tasks), unit="notebook", disable=None) as bar,
        ):
            # page by page over the chapters: pages of one chapter share trials, and wait for each other's
            in_turn = sorted(tasks, key=lambda task: task.name.rpartition("/")[2])
            running = {pool.submit(run, task): task for task in in_turn}
            for future in as_completed(running):
                name, (seconds, error) = running[future].name, future.result()
                bar.update()
                tqdm.write(f"{'FAILED' if error else 'ok':6} {seconds:7.1f} s  {name}")
                if error:
                    failures.append(name)
                    click.echo(
                        f"\n{error}\nThe notebook up to the failure: {running[future].failed}\n", err=True
                    )
    except BrokenExecutor:
        raise click.ClickException(
            "a process that executes notebooks was killed, for want of memory perhaps; executed notebooks are kept: "
            "run the same command again, with PROCESSES=1 where memory is short"
        ) from None
    click.echo(f"{len(tasks)} executed, {len(names) - len(tasks)} up to date, {len(failures)} failed")
    return failures


def stale_tasks(project: Project, parameters: Mapping[str, Any], names: Sequence[str]) -> list[Task]:
    """Return which of these notebooks must be executed; each is given those of the parameters that it declares."""
    missing = [name for name in names if not project.source(name).is_file()]
    if missing:
        raise click.ClickException(f"_toc.yml names notebooks that do not exist: {', '.join(missing)}")
    defaults = {name: declared_parameters(project.source(name)) for name in names}
    _refuse_unknown(parameters, {name for declared in defaults.values() for name in declared})
    given = {
        name: {key: value for key, value in parameters.items() if key in declared}
        for name, declared in defaults.items()
    }
    commit = _commit(project.root)
    return [
        Task(
            name,
            project.source(name),
            project.executed(name),
            project.failed / f"{name}.ipynb",
            given[name],
            defaults[name],
            {"key": key, "commit": commit},
        )
        for name, key in notebook_keys(project, given).items()
        if run_record(project.executed(name)).get("key") != key
    ]


def _refuse_unknown(parameters: Mapping[str, Any], declared: set[str]) -> None:
    unknown = sorted(set(parameters) - declared)
    if unknown:
        allowed = ", ".join(sorted(declared)) or "none"
        raise click.ClickException(
            f"no notebook declares the parameter {', '.join(unknown)}; declared are: {allowed}"
        )


def declared_parameters(source: Path) -> dict[str, Any]:
    """Return the parameters that a notebook declares, with their defaults (plain literals)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notebook.ipynb"
        nbformat.write(jupytext.read(source), path)
        found = papermill.inspect_notebook(str(path))
    return {name: ast.literal_eval(about["default"]) for name, about in found.items()}


def run_record(executed: Path) -> dict[str, Any]:
    """Return what an executed notebook says of its run; empty when there is none."""
    if not executed.is_file():
        return {}
    return dict(nbformat.read(executed, as_version=4).metadata.get(METADATA, {}))


def run(task: Task) -> tuple[float, str]:
    """Execute one notebook; return its wall time in seconds and the failing cell's traceback ("": none)."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="nb") as folder:
        given, executed = Path(folder) / "given.ipynb", Path(folder) / "executed.ipynb"
        nbformat.write(jupytext.read(task.source), given)
        # No history or start-up file of the user takes part in a run.
        os.environ["IPYTHONDIR"] = folder
        try:
            _papermill(task, given, executed, sockets=folder)
        except Exception as error:  # papermill's errors have no common root, and the other notebooks go on
            if executed.is_file():
                write_text(task.failed, executed.read_text(encoding="utf-8"))
            return time.perf_counter() - start, _plain(str(error)) or repr(error)
        seconds = time.perf_counter() - start
        notebook = finished(nbformat.read(executed, as_version=4), task, seconds)
    write_text(task.target, nbformat.writes(notebook))
    task.failed.unlink(missing_ok=True)
    return seconds, ""


def _papermill(task: Task, given: Path, executed: Path, *, sockets: str) -> None:
    # Unix sockets in a folder of their own: the default file names are shared by all kernels that run in one
    # folder, which then talk across each other.
    sockets_only_here = Config()
    for manager in ("KernelManager", "AsyncKernelManager"):
        sockets_only_here[manager].transport, sockets_only_here[manager].ip = "ipc", f"{sockets}/k"
    quick = {**task.defaults, **task.parameters}.get("profile", "quick") == "quick"
    papermill.execute_notebook(
        str(given),
        str(executed),
        parameters=task.parameters or None,
        cwd=str(task.source.parent),
        progress_bar=False,
        start_timeout=120,
        execution_timeout=QUICK_CELL_LIMIT if quick else None,
        config=sockets_only_here,
    )


def finished(notebook: NotebookNode, task: Task, seconds: float) -> NotebookNode:
    """Return an executed notebook ready for the book: its run recorded and shown, the injected cell hidden."""
    for cell in notebook.cells:
        if "injected-parameters" in cell.metadata.get("tags", []):
            cell.metadata["tags"].append("remove-cell")
    notebook.metadata.pop("papermill", None)
    leave_out_missing(notebook)
    record = {
        **task.record,
        "executed": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "parameters": {**task.defaults, **task.parameters},
        "live": runs_trials(),
    }
    notebook.metadata[METADATA] = record
    notebook.cells.append(nbformat.v4.new_markdown_cell(run_line(record)))
    return notebook


def leave_out_missing(notebook: NotebookNode) -> None:
    """Leave out of the prose the sentences that count nothing; a cell without any prose left goes too."""
    values = glued(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = without_missing(cell.source, values)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "markdown" or cell.source]


def run_line(record: Mapping[str, Any]) -> str:
    """Return the discreet line under a page: when, how long, with which parameters, from which commit."""
    parameters = ", ".join(f"{name} {value}" for name, value in record["parameters"].items())
    live = "" if record["live"] else ", recorded numbers only"
    return (
        f'<p class="cm-run">Executed on {record["executed"][:10]} in {record["seconds"]:.1f} s '
        f"with {parameters or 'no parameters'}{live}; commit {record['commit']}.</p>"
    )


def _commit(root: Path) -> str:
    answer = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude", "*"], cwd=root, capture_output=True, text=True
    )
    return answer.stdout.strip() or "unknown"


def _plain(text: str) -> str:
    """Text without terminal colours: a log shows them as noise."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
