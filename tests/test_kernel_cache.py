"""A damaged file of what numba keeps is named, removed and made again."""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

from compactml.kernel_cache import HealingFiles

KERNEL = """
from numba import njit
import compactml.compiling

@njit("int64(int64)", cache=True)
def twice(x):
    return 2 * x

@njit("float64(float64)", cache=True)
def half(x):
    return x / 2
"""
USE = "import compactml_toy as toy; print(toy.twice(21), toy.half(3.0), sum(toy.twice.stats.cache_hits.values()))"


def use(folder: Path) -> tuple[str, str]:
    """What a program prints that calls two kernels: their values, whether the first was there; and on stderr."""
    (folder / "compactml_toy.py").write_text(
        f"import sys\nsource = open({str(folder / 'toy.py')!r}).read()\n"
        "__name__ = 'compactml.toy'\nsys.modules[__name__] = sys.modules['compactml_toy']\n"
        f"exec(compile(source, {str(folder / 'toy.py')!r}, 'exec'))\n"
    )
    if not (folder / "toy.py").exists():
        (folder / "toy.py").write_text(KERNEL)
    environment = os.environ | {"PYTHONPATH": str(folder)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", USE], capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where two kernels were compiled."""
    folder = tmp_path_factory.mktemp("kernels")
    assert use(folder) == ("42 1.5 0", "")
    assert use(folder) == ("42 1.5 1", "")
    return folder


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 3],
    "garbage": lambda content: bytes(range(256)) * 20,
    "another pickle": lambda content: pickle.dumps(7),
    "one changed bit": lambda content: content[:-60] + bytes([content[-60] ^ 1]) + content[-59:],
}


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_damaged_files_heal(kept: Path, ending: str) -> None:
    (path,) = (kept / "__pycache__").glob(f"toy.twice-*{ending}")
    sound = path.read_bytes()
    damage = [DAMAGES[name] for name in ("truncated", "one changed bit")]
    for spoil in damage:
        path.write_bytes(spoil(sound))
        said, warned = use(kept)
        assert said == "42 1.5 0"
        assert f"{path} is damaged" in warned
        assert "removed and made again" in warned
        assert use(kept) == ("42 1.5 1", "")


@pytest.fixture
def files(tmp_path: Path) -> HealingFiles:
    made = HealingFiles(str(tmp_path), "kernel", "stamp")
    made.save("key", {"some": "code"})
    return made


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["kernel.nbi", "kernel.1.nbc"])
def test_every_damage_is_found(
    files: HealingFiles, tmp_path: Path, name: str, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert files.load("key") == {"some": "code"}
    path = tmp_path / name
    content = path.read_bytes()
    path.write_bytes(DAMAGES[damage](content))
    with caplog.at_level(logging.WARNING, "compactml"):
        found = files.load("key")
    if damage == "another pickle" and name.endswith(".nbc"):
        assert found == 7  # a whole file that numba may have written by itself: it has no digest
        return
    assert found is None
    assert damage == "another pickle" or f"{path} is damaged" in caplog.text
    files.save("key", {"some": "other code"})
    assert files.load("key") == {"some": "other code"}


def test_numba_reads_what_we_wrote_and_we_what_it_wrote(tmp_path: Path) -> None:
    for writer, reader in ((HealingFiles, IndexDataCacheFile), (IndexDataCacheFile, HealingFiles)):
        writer(str(tmp_path), writer.__name__, "stamp").save("key", [1, 2])
        assert reader(str(tmp_path), writer.__name__, "stamp").load("key") == [1, 2]


def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, synced, named = os.replace, set[int](), list[str]()

    def give_name(old: str, new: str) -> None:
        assert os.stat(old).st_ino in synced
        named.append(Path(new).name)
        replace(old, new)

    monkeypatch.setattr(os, "fsync", lambda handle: synced.add(os.fstat(handle).st_ino))
    monkeypatch.setattr(os, "replace", give_name)
    HealingFiles(str(tmp_path), "kernel", "stamp").save("key", {"some": "code"})
    assert sorted(named) == ["kernel.1.nbc", "kernel.nbi"]


KERNELS = """
import importlib, sys
from numba.core.dispatcher import Dispatcher
importlib.import_module(sys.argv[1])
plain = sorted({
    f"{name}.{one}" for name, module in list(sys.modules.items()) if name.startswith("compactml.")
    for one, value in vars(module).items()
    if isinstance(value, Dispatcher) and value.targetoptions and type(value._cache).__name__ == "FunctionCache"
    and type(value._cache._cache_file).__name__ != "HealingFiles"
})
print(*plain)
"""


@pytest.mark.parametrize(
    "package",
    ["boolean_rules", "condition_sharing", "ensemble_pruning", "feature_selection", "forests", "pace"],
)
def test_all_kernels_are_kept_so(package: str) -> None:
    """Whatever is imported first."""
    command = [sys.executable, "-c", KERNELS, f"compactml.{package}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
