"""Archives made to do harm: none writes a file, takes much memory, or gives a dataset."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from compactml.datasets import ChecksumMismatch, DatasetMismatch, load

LINE = b"1;10 1:2.5 2:3.5\n"
MEMBER = "Dataset/batch1.dat"
ZIP, TAR = ("gas_drift", "Dataset.zip"), ("rna_seq_pancan", "TCGA-PANCAN-HiSeq-801x20531.tar.gz")


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return content.getvalue()


def tarred(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for member, data in members:
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return content.getvalue()


def changed(content: bytes, old: bytes, new: bytes) -> bytes:
    """Change the bytes of a header wherever they stand."""
    assert old in content
    return content.replace(old, new)


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def zip_link() -> bytes:
    member = zipfile.ZipInfo(MEMBER)
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return zipped((member, b"/etc/passwd"))


def encrypted() -> bytes:
    """Say in both headers that a member is encrypted."""
    content = bytearray(zipped((MEMBER, LINE)))
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(mark) + place] |= 1
    return bytes(content)


def wrong_sum() -> bytes:
    content = bytearray(zipped((MEMBER, LINE * 100)))
    content[content.index(b"PK\1\2") + 16] ^= 1
    return bytes(content)


def huge() -> bytes:
    """Claim four gigabytes."""
    content = bytearray(zipped((MEMBER, LINE)))
    for mark, place in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        start = content.index(mark) + place
        content[start : start + 4] = b"\xf0\xff\xff\xff"
    return bytes(content)


HOSTILE: dict[str, tuple[tuple[str, str], Callable[[], bytes]]] = {
    "names that lead outside": (ZIP, lambda: zipped(("../../escaped/batch1.dat", LINE), (MEMBER, LINE))),
    "absolute names": (ZIP, lambda: zipped(("/tmp/compactml_escaped/batch1.dat", LINE))),
    "a bomb": (ZIP, lambda: zipped((MEMBER, bytes(200 * 2**20)))),
    "four gigabytes claimed": (ZIP, huge),
    "many members": (ZIP, lambda: zipped(*((f"batch{i}.dat", LINE) for i in range(3000)))),
    "one name twice": (ZIP, lambda: zipped((MEMBER, LINE), (MEMBER.replace("1", "01"), LINE * 2))),
    "a link": (ZIP, zip_link),
    "encrypted": (ZIP, encrypted),
    "a wrong sum": (ZIP, wrong_sum),
    "an archive in place of a text": (ZIP, lambda: zipped((MEMBER, zipped((MEMBER, LINE))))),
    "cut short": (ZIP, lambda: zipped((MEMBER, os.urandom(9000)))[:5000]),
    "garbage": (ZIP, lambda: os.urandom(5000)),
    "nothing in it": (ZIP, zipped),
    "empty": (ZIP, lambda: b""),
    "a tar that links to a file of the machine": (TAR, lambda: tarred((link("x/data.csv", "/etc/passwd"), b""))),
    "a tar that links outside": (TAR, lambda: tarred((link("data.csv", "../../labels.csv", tarfile.LNKTYPE), b""))),
    "a tar with a device": (TAR, lambda: tarred((link("data.csv", "", tarfile.CHRTYPE), b""))),
    "a tar of links in a circle": (
        TAR, lambda: tarred((link("data.csv", "labels.csv"), b""), (link("labels.csv", "data.csv"), b"")),
    ),
    "a tar that is cut short": (TAR, lambda: tarred((tarfile.TarInfo("data.csv"), os.urandom(9000)))[:4000]),
}  # fmt: skip


def everything(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_dataset_comes_of_it(kind: str, folders: tuple[Path, Path], tmp_path: Path) -> None:
    """These files have no registered hash: what is in them is all that can be looked at."""
    (key, name), make = HOSTILE[kind]
    path = folders[0] / key / name
    path.parent.mkdir(parents=True)
    path.write_bytes(make())
    before, size = everything(tmp_path), path.stat().st_size
    with pytest.raises(DatasetMismatch, match=f"dataset '{key}'"):
        load(key)
    assert everything(tmp_path) == before
    assert path.stat().st_size == size
    assert not Path("/tmp/compactml_escaped").exists()


@pytest.mark.parametrize("kind", ["a bomb", "names that lead outside", "garbage"])
def test_with_a_registered_hash_it_is_not_even_opened(
    kind: str, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folders[0] / "bank_marketing" / "bank+marketing.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(HOSTILE[kind][1]())
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(ChecksumMismatch, match=r"bank\+marketing\.zip must have SHA-256"):
        load("bank_marketing")
