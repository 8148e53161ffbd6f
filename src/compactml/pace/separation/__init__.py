"""Separation: points of the region where two ensembles disagree, or the proof of none."""
