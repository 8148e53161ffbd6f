"""Loaders of MATLAB files: a matrix of features, named ``f1``, ``f2``, ..., and a column of labels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import loadmat

from compactml.datasets.archives import Files, Loader
from compactml.datasets.columns import numbered
from compactml.datasets.tables import Parsed

ISOLET_PARTS = ("Isolet1.mat", "Isolet2.mat", "Isolet3.mat", "Isolet4.mat", "isolet5.mat")


def _matrices(path: Path, *variables: tuple[str, str]) -> Parsed:
    """Read one or several (features, labels) pairs of variables of one file, one below the other."""
    content = loadmat(path)
    X = np.concatenate([content[features] for features, _ in variables])
    y = np.concatenate([content[labels].ravel() for _, labels in variables])
    return pd.DataFrame(X, columns=list(numbered("f", X.shape[1]))), pd.Series(y, name="class")


def _single(file: str, features: str, labels: str, files: Files) -> Parsed:
    return _matrices(files[file], (features, labels))


def isolet(files: Files) -> Parsed:
    """Pool the five speaker groups in their order."""
    parts = [_matrices(files[name], ("fea", "gnd")) for name in ISOLET_PARTS]
    frames, labels = zip(*parts, strict=True)
    return pd.concat(frames, ignore_index=True), pd.concat(labels, ignore_index=True)


def parkinsons_speech(files: Files) -> Parsed:
    """Put ``gender`` of the short table in front of the 752 speech features of the matrix.

    Both files list the recordings in the same order; ``id`` (three recordings a person) is no feature.
    """
    X, y = _matrices(files["pdspeech.mat"], ("fea", "gnd"))
    gender = pd.read_csv(files["pd_speech_features.csv"], usecols=["gender"])
    return pd.concat([gender, X], axis="columns"), y


def usps(files: Files) -> Parsed:
    """Pool the 7291 training and then the 2007 test digits."""
    return _matrices(files["usps.mat"], ("Xtr", "ytr"), ("Xtst", "ytst"))


LOADERS: Mapping[str, Loader] = {
    "colon": partial(_single, "colon.mat", "X", "Y"),
    "isolet": isolet,
    "lung_discrete": partial(_single, "lung_small.mat", "X", "Y"),
    "madelon": partial(_single, "madelon.mat", "X", "Y"),
    "orl_32x32": partial(_single, "ORL.mat", "X", "Y"),
    "parkinsons_speech": parkinsons_speech,
    "pcmac": partial(_single, "PCMAC.mat", "X", "Y"),
    "usps": usps,
    "usps_asu": partial(_single, "USPS.mat", "X", "Y"),
    "yale_32x32": partial(_single, "Yale.mat", "X", "Y"),
}
