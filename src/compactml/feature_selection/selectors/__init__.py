"""Exact feature selection as scikit-learn transformers, and the best sets of many sizes."""

from compactml.feature_selection.selectors.cfs import CFSSelector
from compactml.feature_selection.selectors.mrmr import MRMRSelector
from compactml.feature_selection.selectors.path import SelectionPath, selection_path

__all__ = ["CFSSelector", "MRMRSelector", "SelectionPath", "selection_path"]
