"""Damaged and hostile files are refused with an error of the project, quickly and without much memory."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from compactml.boolean_rules import BooleanRuleClassifier
from compactml.errors import CompactmlError, InvalidDataError
from compactml.model_files import load, save
from compactml.pace import PaceClassifier
from compactml.watch import recorded

X, Y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def files(tmp_path_factory: Any) -> dict[str, bytes]:
    """A small file of each of three kinds."""
    folder = tmp_path_factory.mktemp("whole")
    models = {
        "forest": RandomForestClassifier(2, max_depth=2, random_state=0).fit(X, Y),
        "rules": BooleanRuleClassifier(4).fit(X, Y == 1),
        "pace": PaceClassifier(RandomForestClassifier(4, max_depth=2, random_state=0), generate=False),
    }
    with recorded():
        models["pace"].fit(X, Y)
    for name, model in models.items():
        save(model, folder / name)
    return {name: (folder / name).read_bytes() for name in models}


def parts(content: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The JSON and the arrays of a file."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(members.pop("model.json")), members


def whole(head: Any, members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        archive.writestr("model.json", head if isinstance(head, str) else json.dumps(head))
        for name, member in members.items():
            archive.writestr(name, member)
    return stream.getvalue()


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=False)
    return stream.getvalue()


def refused(content: bytes, folder: Path, match: str = "") -> None:
    """Loading fails with an error of the project, with less than 20 MB beside the file."""
    path = folder / "model"
    path.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(CompactmlError, match=match):
            load(path)
        assert tracemalloc.get_traced_memory()[1] < 20e6 + 10 * len(content)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["forest", "rules", "pace"])
def test_the_parts_put_together_again_are_a_model(name: str, files: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(whole(*parts(files[name])))
    assert len(load(tmp_path / "model").predict(X)) == len(X)


@pytest.mark.parametrize("name", ["forest", "rules", "pace"])
def test_truncated_files_are_refused(name: str, files: dict[str, bytes], tmp_path: Path) -> None:
    content = files[name]
    for length in [0, 1, 21, 22, *range(30, len(content), max(1, len(content) // 40)), len(content) - 1]:
        refused(content[:length], tmp_path, "path: must be")


@pytest.mark.parametrize("name", ["forest", "rules", "pace"])
def test_no_flipped_byte_is_loaded_as_another_model(
    name: str, files: dict[str, bytes], tmp_path: Path
) -> None:
    """A flip is refused, or it lies where it says nothing: then the predictions are the same."""
    content, path = files[name], tmp_path / "model"
    path.write_bytes(content)
    expected, refusals = load(path).predict(X), 0
    random = np.random.default_rng(0)
    for place in random.choice(len(content), 250, replace=False):
        changed = bytearray(content)
        changed[place] ^= int(random.integers(1, 256))
        path.write_bytes(changed)
        try:
            model = load(path)
        except CompactmlError:
            refusals += 1
        else:
            np.testing.assert_array_equal(model.predict(X), expected)
    assert refusals > 200


@pytest.mark.parametrize("name", ["forest", "rules", "pace"])
def test_random_values_in_arrays_are_refused_or_predict_without_a_crash(
    name: str, files: dict[str, bytes], tmp_path: Path
) -> None:
    """Arrays of the right size with other numbers, and a checksum that is right."""
    head, members = parts(files[name])
    random, path = np.random.default_rng(1), tmp_path / "model"
    refusals = 0
    for _ in range(200):
        changed = dict(members)
        member = random.choice(sorted(members))
        array = np.lib.format.read_array(io.BytesIO(members[member]))
        if array.size == 0 or array.dtype.kind not in "iuf":
            continue
        array = array.copy()
        extremes = [-(2**31), -2, -1, 0, 1, 2, 3, 100, 2**31 - 1]
        values = extremes if array.dtype.kind == "i" else [0, 1, 2, 255]
        array.flat[random.integers(array.size)] = np.array(random.choice(values)).astype(array.dtype)
        changed[member] = npy(array)
        path.write_bytes(whole(head, changed))
        try:
            model = load(path)
        except CompactmlError:
            refusals += 1
        else:
            with np.errstate(all="ignore"):
                assert len(model.predict(X)) == len(X)
    assert refusals > 10


def find(value: Any, name: str) -> list[dict[str, Any]]:
    """All dictionaries of a JSON with an entry of this name."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    here = [value] if isinstance(value, dict) and name in value else []
    return here + [one for part in inner for one in find(part, name)]


@pytest.mark.parametrize(
    ("field", "values", "message"),
    [
        ("left_child", {0: 99}, "integers in"),
        ("left_child", {1: 0}, "nodes in"),
        ("right_child", {0: 1}, "one parent"),
        ("feature", {0: 4}, r"columns in \[0, 4\)"),
        ("feature", {0: -2}, r"columns in \[0, 4\)"),
        ("threshold", {0: np.nan}, "numbers"),
    ],
)
def test_trees_that_would_crash_are_refused(
    field: str, values: dict[int, float], message: str, files: dict[str, bytes], tmp_path: Path
) -> None:
    head, members = parts(files["forest"])
    k = find(head, field)[0][field]["array"]
    array = np.lib.format.read_array(io.BytesIO(members[f"arrays/{k}.npy"])).copy()
    for place, value in values.items():
        array[place] = value
    members[f"arrays/{k}.npy"] = npy(array)
    refused(whole(head, members), tmp_path, message)


def edited(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    def edit(content: bytes) -> bytes:
        head, members = parts(content)
        changed = change(head)
        return whole(head if changed is None else changed, members)

    return edit


def bomb(content: bytes) -> bytes:
    """A file of a few KB that would inflate to 4 MB."""
    head, members = parts(content)
    return whole(head, members | {"arrays/0.npy": bytes(4_000_000)}, zipfile.ZIP_DEFLATED)


def claimed(content: bytes) -> bytes:
    """An array whose head says that it has 8 TB."""
    head, members = parts(content)
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    members["arrays/0.npy"] = stream.getvalue()
    head["arrays"][0] = {"dtype": "<f8", "shape": [10**12]}
    return whole(head, members)


def sized(content: bytes) -> bytes:
    """A directory that says that a part has 4 GB, compressed and not."""
    place = content.index(b"PK\x01\x02")
    return content[: place + 20] + struct.pack("<II", 2**32 - 2, 2**32 - 2) + content[place + 28 :]


def doubled(content: bytes) -> bytes:
    stream = io.BytesIO(content)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("model.json", "{}")
    return stream.getvalue()


def pickled(content: bytes) -> bytes:
    head, members = parts(content)
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.array([{}], dtype=object), allow_pickle=True)
    head["arrays"][0] = {"dtype": "|O", "shape": [1]}
    return whole(head, members | {"arrays/0.npy": stream.getvalue()})


HOSTILE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "newer version": (edited(lambda head: head.update(version=2)), "newer compactml"),
    "no version": (edited(lambda head: head.pop("version") and None), "version from 1 on"),
    "other format": (edited(lambda head: head.update(format="pickle")), "of the format"),
    "unknown class": (edited(lambda head: head["model"]["dict"].update({"class": "os.system"})), "one of"),
    "class of another": (
        edited(lambda head: head["model"]["dict"].update({"class": "PaceClassifier"})),
        "must be",
    ),
    "no model": (edited(lambda head: head.pop("model") and None), "must be there"),
    "a list": (edited(lambda head: [head]), "of the format"),
    "deep": (edited(lambda head: "[" * 100_000), "nested too deeply|whole file"),
    "deep objects": (
        edited(lambda head: json.dumps(head).replace('"model": ', '"model": ' + '{"tuple": [' * 20_000, 1)),
        "nested|whole file",
    ),
    "less deep objects": (
        edited(
            lambda head: json.dumps(
                head | {"model": json.loads('{"tuple": [' * 400 + "1" + "]}" * 400)}
            ).replace('"tuple": [1]', '"tuple": [' + '{"tuple": [' * 90 + "1" + "]}" * 90 + "]")
        ),
        "nested|must be",
    ),
    "no JSON": (edited(lambda head: "{"), "whole file"),
    "unknown parameter": (
        edited(lambda head: find(head, "parameters")[0]["parameters"]["dict"].update(fit=1)),
        "plain data for parameters",
    ),
    "array of another number": (
        edited(lambda head: find(head, "array")[0].update(array=10**6)),
        "stand for plain data",
    ),
    "other shape": (edited(lambda head: head["arrays"][0].update(shape=[1])), "path: must be"),
    "other dtype": (edited(lambda head: head["arrays"][0].update(dtype="<i2")), "path: must be"),
    "records": (edited(lambda head: head["arrays"][0].update(dtype="<M8")), "numbers, booleans or texts"),
    "arrays missing": (edited(lambda head: head["arrays"].pop() and None), "an array for each entry"),
    "bomb": (bomb, "nothing compressed"),
    "claimed": (claimed, "bytes for"),
    "sized": (sized, "path: must be"),
    "doubled": (doubled, "path: must be"),
    "pickled": (pickled, "numbers, booleans or texts"),
    "text": (lambda content: b"hello" * 400, "whole file"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files_are_refused(what: str, files: dict[str, bytes], tmp_path: Path) -> None:
    change, message = HOSTILE[what]
    refused(change(files["forest"]), tmp_path, message)


def test_a_path_without_a_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(InvalidDataError, match="path: must be a file"):
            load(path)


def test_a_file_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    forest = RandomForestClassifier(1, random_state=0).fit(X, Y)
    with pytest.raises(OSError, match="nowhere"):
        save(forest, tmp_path / "nowhere" / "model")
    assert not list(tmp_path.iterdir())
