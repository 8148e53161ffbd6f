"""Words for the columns and names of the chapter's tables, for its pages."""

from __future__ import annotations

from compactml.chapters.feature_selection.datasets import FREQUENCY, WIDTH
from compactml.chapters.feature_selection.rows import METHODS

__all__ = ["HEADS", "WORDS"]

HEADS = {
    "as_ours": "same columns as ours",
    "certificate_verified": "certificate verified",
    "class_type": "type of the class",
    "classes_here": "classes here",
    "data_type": "type of the data",
    "early_stop": "early stop",
    "f1_nb": "F1, naive Bayes",
    "f1_nb_mean": "F1, naive Bayes",
    "f1_nb_std": "deviation of F1, naive Bayes",
    "f1_rf": "F1, random forest",
    "f1_rf_mean": "F1, random forest",
    "f1_rf_std": "deviation of F1, random forest",
    "gap_proved": "proved gap",
    "h_ones": "value of all features",
    "n_here": "n here",
    "p_here": "p here",
}
WORDS = {
    **METHODS,
    WIDTH: "equal width",
    FREQUENCY: "equal frequency",
    "f1_nb": "F1 of naive Bayes",
    "f1_rf": "F1 of random forests",
}
