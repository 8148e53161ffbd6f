"""Weights of the learners: the master problem (P1) and pruning (P0)."""
