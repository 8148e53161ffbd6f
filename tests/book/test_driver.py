"""The driver behind `make book`, on a small project of its own: what runs, what is kept, what fails and how."""

import os
import shutil
import subprocess
import sys
from base64 import b64decode
from pathlib import Path

import click
import nbformat
import pytest

import build_book
from bookbuild import keys
from bookbuild.execute import execute_all, run_record, stale_tasks
from bookbuild.project import Project
from bookbuild.stage import stage
from compactml.solvers import identity
from compactml.study.keys import closure
from run_notebook import find

ROOT = Path(__file__).resolve().parents[2]
FIRST, SECOND = "notebooks/chapter/01_first", "notebooks/chapter/02_second"
TOC = f"""\
format: jb-book
root: book/intro
parts:
  - caption: The chapter
    chapters: [{{file: {FIRST}}}, {{file: {SECOND}}}]
  - caption: Other
    chapters: [{{file: book/other}}]
"""
HEAD = """\
---
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# A title

What it is about.

```{code-cell} ipython3
:tags: [parameters]

n = 2
profile = "quick"
```

"""
PICTURE = """\
```{code-cell} ipython3
from IPython.display import Image
Image(data=b"\\x89PNG\\r\\n\\x1a\\n" + b"picture %d" % n, format="png")
```
"""
FAILING = HEAD + "```{code-cell} ipython3\nraise ArithmeticError('the reason')\n```\n"


@pytest.fixture(autouse=True)
def _data_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)
    for name in build_book.FOLDERS:
        monkeypatch.setenv(name, str(tmp_path / name))


def new_project(root: Path) -> Project:
    for path, text in {
        "_toc.yml": TOC,
        "_config.yml": "title: Small\n",
        "requirements.lock": "",
        "src/library.py": "x = 1\n",
        "data/table.csv": "a\n1\n",
        "book/intro.md": "# Intro\n",
        "book/other.md": "# Other\n",
        f"{FIRST}.md": HEAD + PICTURE,
        f"{SECOND}.md": HEAD,
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Project(root)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose notebooks were executed with n = 5. Its keys do not hold any data at hand."""
    project = new_project(tmp_path_factory.mktemp("project"))
    with pytest.MonkeyPatch.context() as patch:
        for name in build_book.FOLDERS:
            patch.setenv(name, str(project.root / "nothing"))
        assert execute_all(project, {"n": 5}, processes=2) == []
    return project


@pytest.fixture
def copy(built: Project, tmp_path: Path) -> Project:
    shutil.copytree(built.root, tmp_path / "copy")
    return Project(tmp_path / "copy")


def names_to_run(project: Project, **parameters: object) -> list[str]:
    return [task.name for task in stale_tasks(project, {"n": 5} | parameters, project.notebooks())]


def test_executed_notebook_is_ready_for_the_book(built: Project) -> None:
    notebook = nbformat.read(built.executed(FIRST), as_version=4)
    (injected,) = [c for c in notebook.cells if "injected-parameters" in c.metadata.get("tags", [])]
    assert "remove-cell" in injected.metadata["tags"]
    (shown,) = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert b64decode(shown.data["image/png"]) == b"\x89PNG\r\n\x1a\npicture 5"
    record = run_record(built.executed(FIRST))
    assert record["parameters"] == {"n": 5, "profile": "quick"}
    assert record["seconds"] > 0
    assert f"with n 5, profile quick; commit {record['commit']}" in notebook.cells[-1].source


def test_unchanged_notebooks_are_not_run_again(copy: Project) -> None:
    before = copy.executed(FIRST).stat().st_mtime_ns
    assert execute_all(copy, {"n": 5}, processes=1) == []
    assert copy.executed(FIRST).stat().st_mtime_ns == before


@pytest.mark.parametrize("path", ["src/library.py", "data/table.csv", "requirements.lock"])
def test_a_change_that_all_depend_on_runs_all(copy: Project, path: str) -> None:
    with (copy.root / path).open("a") as stream:
        stream.write("2")
    assert names_to_run(copy) == [FIRST, SECOND]


def test_a_changed_notebook_runs_alone(copy: Project) -> None:
    copy.source(SECOND).write_text(HEAD + "One more paragraph.\n")
    assert names_to_run(copy) == [SECOND]


def test_other_parameters_run_all(copy: Project) -> None:
    assert names_to_run(copy, n=6) == [FIRST, SECOND]


@pytest.mark.parametrize("variable", ["COMPACTML_DATA", "COMPACTML_CACHE"])
def test_a_dataset_that_comes_to_hand_runs_all(copy: Project, variable: str) -> None:
    path = Path(os.environ[variable]) / "magic" / "magic.data"
    path.parent.mkdir(parents=True)
    path.write_text("1,2,g")
    assert names_to_run(copy) == [FIRST, SECOND]


def test_another_solver_or_library_runs_all(copy: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changed and changed back: a page of one solver is never shown for another."""
    assert names_to_run(copy) == []
    with monkeypatch.context() as patch:
        patch.setenv("COMPACTML_SOLVER", "cplex")
        assert names_to_run(copy) == [FIRST, SECOND]
    with monkeypatch.context() as patch:
        patch.setattr(closure, "version", lambda library: "9.9.9")
        assert names_to_run(copy) == [FIRST, SECOND]
    with monkeypatch.context() as patch:
        patch.setattr(identity, "usable_solvers", lambda: ())
        assert names_to_run(copy) == [FIRST, SECOND]
    assert names_to_run(copy) == []


def test_a_parameter_goes_to_the_notebooks_that_declare_it(copy: Project) -> None:
    copy.source(SECOND).write_text(HEAD.replace("n = 2\n", "k = 3\n"))
    assert {task.name: task.parameters for task in stale_tasks(copy, {"n": 6, "k": 1}, [FIRST, SECOND])} == {
        FIRST: {"n": 6},
        SECOND: {"k": 1},
    }
    assert [task.name for task in stale_tasks(copy, {"n": 5, "k": 1}, [FIRST, SECOND])] == [
        SECOND
    ]  # the first has n = 5 already


def test_unknown_parameter_is_refused_before_anything_runs(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    with pytest.raises(
        click.ClickException, match="no notebook declares the parameter m; declared are: n, profile"
    ):
        execute_all(project, {"m": 1}, processes=1)
    assert not project.stage.exists()


def test_one_notebook_is_executed_alone(copy: Project) -> None:
    command = [sys.executable, ROOT / "scripts" / "run_notebook.py", "chapter/01", "n=7", "--root", copy.root]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == str(copy.executed(FIRST))
    assert run_record(copy.executed(FIRST))["parameters"]["n"] == 7
    assert run_record(copy.executed(SECOND))["parameters"]["n"] == 5


@pytest.mark.parametrize("name", ["", "chapter", "chapter/03"])
def test_a_name_of_no_or_several_notebooks_is_refused(built: Project, name: str) -> None:
    with pytest.raises(
        click.ClickException, match=f"got '{name}'; there are: chapter/01_first, chapter/02_second"
    ):
        find(built, name)


def test_missing_notebook_is_named(copy: Project) -> None:
    copy.source(SECOND).unlink()
    with pytest.raises(click.ClickException, match=f"do not exist: {SECOND}"):
        stale_tasks(copy, {}, copy.notebooks())


def test_failing_cell_fails_the_command_with_its_traceback(copy: Project) -> None:
    copy.source(FIRST).write_text(FAILING)
    before = copy.executed(FIRST).read_bytes()
    command = [sys.executable, ROOT / "scripts" / "build_book.py", "n=6", "--root", copy.root]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 1
    assert "raise ArithmeticError('the reason')" in ran.stderr
    assert "\x1b" not in ran.stderr
    assert "FAILED" in ran.stdout
    assert "ArithmeticError" in (copy.failed / f"{FIRST}.ipynb").read_text()
    assert copy.executed(FIRST).read_bytes() == before  # never half a notebook
    assert run_record(copy.executed(SECOND))["parameters"]["n"] == 6  # the other one went on


def test_stage_holds_what_the_book_needs(copy: Project) -> None:
    stray = copy.stage / "notebooks" / "chapter" / "09_gone.ipynb"
    shutil.copy(copy.executed(FIRST), stray)
    stage(copy)
    book = copy.stage / "book"
    runs = (book / "_generated" / "notebooks.md").read_text()
    assert all(f"{{doc}}`/{name}`" in runs for name in (FIRST, SECOND))
    assert (book / "_static" / "mathjax" / "tex-mml-chtml.js").is_file()
    assert list((book / "_static" / "mathjax" / "output" / "chtml" / "fonts" / "woff-v2").glob("*.woff"))
    assert not stray.exists()


def test_parameters_are_read_as_yaml() -> None:
    assert [build_book.parse(text) for text in ("n=3", "profile=standard", "time_limit=1.5")] == [
        ("n", 3),
        ("profile", "standard"),
        ("time_limit", 1.5),
    ]
    with pytest.raises(click.ClickException, match="name=value, got 'n'"):
        build_book.parse("n")


def test_environment_of_the_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPACTML_DATA", "raw")
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    build_book.prepare_environment()
    assert "MPLBACKEND" not in os.environ
    assert os.environ["OMP_NUM_THREADS"] == "1"
    assert os.environ["COMPACTML_DATA"] == str(tmp_path / "raw")


def test_other_caches_beside_the_data_make_no_page_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build from nothing fills the cache of votes: the next one has nothing to do."""
    monkeypatch.setenv("COMPACTML_CACHE", str(tmp_path))
    monkeypatch.delenv("COMPACTML_DATA", raising=False)
    before = list(keys._data_at_hand())
    for folder in ("ensemble_pruning_votes", "iris"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a file").write_text("1", encoding="utf-8")
    (added,) = set(keys._data_at_hand()) - set(before)
    assert added.startswith("iris/a file 1 ")
