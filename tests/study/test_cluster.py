"""A real Dask scheduler with worker processes on loopback: they prove who they are, come late, and die."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from dask import config as dask_config
from distributed import Client

import compactml
from compactml.study import SchedulerError, Store, TrialsFailed
from compactml.study.running import cluster, engine
from tests.study import toy_trials
from tests.study.toy_trials import CHAPTER, calls, squares

HERE = [str(Path(__file__).parents[2]), str(Path(compactml.__file__).parents[1])]


class Dask:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path, *more: str) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.file = folder / "scheduler.json"
        options = [
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(self.file),
            *more,
        ]
        self._start("scheduler", options, HERE)
        with Client(scheduler_file=str(self.file), timeout=60, set_as_default=False) as client:
            self.address: str = client.scheduler.address

    def _start(self, what: str, options: list[str], paths: list[str], **variables: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *options]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | variables
        with (self.folder / f"{len(self.processes)}.log").open("wb") as output:
            process = subprocess.Popen(
                command, env=environment, stdout=output, stderr=output, cwd=self.folder
            )
        self.processes.append(process)

    def worker(self, *before: Path, wait: bool = True, **variables: str) -> None:
        """Start a worker of one thread, with folders that come first on its path, and wait until it has registered."""
        n = self.count()
        folder = self.folder / f"worker{len(self.processes)}"
        options = [self.address, "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard",
                   "--local-directory", str(folder), "--death-timeout", "60"]  # fmt: skip
        self._start("worker", options, [*map(str, before), *HERE], **variables)
        while wait and self.count() == n:
            time.sleep(0.1)

    def count(self) -> int:
        with Client(self.address, timeout=60, set_as_default=False) as client:
            return len(client.scheduler_info(n_workers=-1)["workers"])

    def close(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    (tmp_path / "dask").mkdir()
    started = Dask(tmp_path / "dask")
    yield started
    started.close()


def test_one_worker_runs_them_all_and_one_that_joins_late_takes_part(
    dask: Dask, folder: Path, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    dask.worker()
    first = engine.run(CHAPTER, toy_trials.trials(folder, 2), store=store, scheduler=dask.address)
    (alone,) = {one.result["process"] for one in first}
    assert alone != os.getpid()

    joining = threading.Timer(0.5, dask.worker, kwargs={"wait": False})
    joining.start()
    with caplog.at_level(logging.INFO, "compactml"):
        many = toy_trials.trials(folder, 42, seconds=0.4)
        done = engine.run(CHAPTER, many, store=store, scheduler=dask.address)
    joining.join()
    assert squares(done) == [seed**2 for seed in range(42)]
    processes = [one.result["process"] for one in done]
    assert set(processes) > {alone}
    assert len(set(processes)) == 2
    assert os.getpid() not in processes
    assert processes.count(alone) < 40
    assert "1 workers take part" in caplog.text
    assert "2 workers take part" in caplog.text
    assert len(calls(folder)) == 44  # none twice


def other_code(folder: Path) -> Path:
    """A folder with a toy that gives another number."""
    package = folder / "tests" / "study"
    package.mkdir(parents=True)
    for face in (package.parent, package):
        (face / "__init__.py").touch()
    text = Path(toy_trials.__file__).read_text(encoding="utf-8")
    (package / "toy_trials.py").write_text(text.replace("Toy(trial.seed**2,", "Toy(-1,"))
    assert "Toy(-1," in (package / "toy_trials.py").read_text()
    return folder


def other_metadata(folder: Path) -> Path:
    """A folder whose metadata name another highspy."""
    (folder / "highspy-9.9.9.dist-info").mkdir(parents=True)
    (folder / "highspy-9.9.9.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: highspy\nVersion: 9.9.9\n"
    )
    return folder


def test_workers_that_are_others_are_refused_by_part(
    dask: Dask, folder: Path, store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    dask.worker(other_code(tmp_path / "code"))
    dask.worker(other_metadata(tmp_path / "metadata"))
    dask.worker(TOY_DATA="other values")
    dask.worker(COMPACTML_SOLVER="highs")
    dask.worker()
    trials = toy_trials.trials(folder, 16, seconds=0.2, kind="solving")
    done = engine.run(CHAPTER, trials, store=store, scheduler=dask.address)
    assert squares(done) == [seed**2 for seed in range(16)]
    assert len({one.result["process"] for one in done}) == 1
    refusals = [text for text in caplog.messages if "is left out" in text]
    assert len(refusals) == 4
    for part in ("code: ", "library highspy: ", "data: ", "solvers: "):
        assert sum(part in text for text in refusals) == 1, refusals
    assert sum("9.9.9 there" in text for text in refusals) == 1
    assert len(calls(folder)) == 16


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("garbage", "Invalid url scheme"),
        ("ftp://127.0.0.1:1", "unknown address scheme 'ftp'"),
        ("tls://127.0.0.1:1", "tls:// needs certificates, and DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "),
    ],
)
def test_what_is_no_address_is_refused_at_once(address: str, said: str) -> None:
    with pytest.raises(SchedulerError, match=re.escape(said)) as caught:
        cluster.Cluster(address)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes the certificate")
def test_a_secured_cluster_runs_the_same_trials(
    folder: Path, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = str(tmp_path / "certificate.pem"), str(tmp_path / "key.pem")
    asked = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run(["openssl", *asked, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    files = {"ca-file": certificate}
    for role in ("scheduler", "worker", "client"):
        files |= {f"{role}.cert": certificate, f"{role}.key": key}
    for name, file in files.items():
        variable = f"DASK_DISTRIBUTED__COMM__TLS__{name.upper()}"
        monkeypatch.setenv(variable.replace("-", "_").replace(".", "__"), file)
    with dask_config.set({f"distributed.comm.tls.{name}": file for name, file in files.items()}):
        secured = Dask(tmp_path, "--protocol", "tls")
        try:
            assert secured.address.startswith("tls://")
            secured.worker()
            done = engine.run(CHAPTER, toy_trials.trials(folder, 3), store=store, scheduler=secured.address)
            assert squares(done) == [0, 1, 4]
            plain = secured.address.replace("tls://", "tcp://")
            with pytest.raises(SchedulerError):
                engine.run(CHAPTER, toy_trials.trials(folder, 4), store=store, scheduler=plain)
        finally:
            secured.close()


def test_only_others_end_the_run(dask: Dask, folder: Path, store: Store, tmp_path: Path) -> None:
    dask.worker(other_code(tmp_path / "code"))
    with pytest.raises(SchedulerError, match=r"every worker refuses.*code: .* here, .* there"):
        engine.run(CHAPTER, toy_trials.trials(folder, 4), store=store, scheduler=dask.address)
    assert len(store) == 0
    assert calls(folder) == []


def test_a_trial_that_kills_its_worker_is_a_failure(dask: Dask, folder: Path, store: Store) -> None:
    dask.worker()
    dask.worker()
    deadly = toy_trials.trials(folder, 1, kind="killing")
    others = toy_trials.trials(folder, 8, seconds=0.1)
    with pytest.raises(
        TrialsFailed, match=r"1 trials failed, 8 finished (.|\n)*killing.*killed its worker twice"
    ):
        engine.run(CHAPTER, deadly + others, store=store, scheduler=dask.address)
    assert len(store) == 8
    texts = [path.read_text() for path in sorted(folder.iterdir(), key=lambda path: path.name.split("-")[1])]
    assert sum("killing" in text for text in texts) == 2, texts  # once among others, once alone
    (failed,) = store.failures()
    assert failed.failure["resident_mib"] > 10


def test_a_scheduler_without_workers_and_one_that_ends(
    dask: Dask, folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 2)
    with pytest.raises(SchedulerError, match="no worker has registered"):
        engine.run(CHAPTER, toy_trials.trials(folder, 2), store=store, scheduler=dask.address)
    dask.worker()

    def end() -> None:
        while len(calls(folder)) < 4:
            time.sleep(0.05)
        dask.processes[0].kill()

    ending = threading.Thread(target=end)
    ending.start()
    with pytest.raises(SchedulerError, match="the connection is lost; finished trials are kept"):
        engine.run(CHAPTER, toy_trials.trials(folder, 30, seconds=0.3), store=store, scheduler=dask.address)
    ending.join()
    assert 1 <= len(store) < 30
