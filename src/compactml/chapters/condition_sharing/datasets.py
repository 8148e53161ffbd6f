"""Table 1 of Nakamura and Sakurada (2022): the datasets in the paper's order and where they come from here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PaperDataset:
    """One row of Table 1: the paper's name and size, and the name of the data here (a key or a variant)."""

    name: str
    key: str
    n: int
    d: int
    n_classes: int | None

    @property
    def classification(self) -> bool:
        """Whether the labels are classes."""
        return self.n_classes is not None


DATASETS = (
    PaperDataset("iris", "iris", 150, 4, 3),
    PaperDataset("parkinsons", "parkinsons", 195, 22, 2),
    PaperDataset("breast cancer", "wdbc", 569, 30, 2),
    PaperDataset("blood", "blood_transfusion", 748, 4, 2),
    PaperDataset("RNA-Seq PANCAN", "rna_seq_pancan", 801, 20531, 5),
    PaperDataset("winequality red", "wine_quality_red", 1599, 11, 11),
    PaperDataset("winequality white", "wine_quality_white", 4898, 11, 11),
    PaperDataset("waveform", "waveform_v2", 5000, 40, 3),
    PaperDataset("robot", "robot_navigation", 5456, 24, 4),
    PaperDataset("musk", "musk_v2", 6598, 166, 2),
    PaperDataset("epileptic seizure", "epileptic_seizure", 11500, 178, 5),
    PaperDataset("magic", "magic", 19020, 10, 2),
    PaperDataset("hepmass", "hepmass", 7_000_000, 28, 2),
    PaperDataset("Real estate", "real_estate_rounded_dates", 414, 7, None),
    PaperDataset("airfoil", "airfoil_first_row_as_header", 1502, 5, None),
    PaperDataset("blogdata", "blog_feedback_sorted_files", 60021, 280, None),
    PaperDataset("Adelaide", "wec_adelaide_first_row_as_header", 71999, 48, None),
    PaperDataset("Perth", "wec_perth", 72000, 48, None),
    PaperDataset("Sydney", "wec_sydney", 72000, 48, None),
    PaperDataset("Tasmania", "wec_tasmania", 72000, 48, None),
    PaperDataset("Year Predict MSD", "year_prediction_msd_first_row_as_header", 515344, 90, None),
)
BY_KEY = {dataset.key: dataset for dataset in DATASETS}
SMALL = 20_000
"""Figs 4 and 5 use the datasets with at most this many rows."""
