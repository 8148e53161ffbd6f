"""Ensemble pruning by an integer program with diversity constraints (INOC 2024): trials, tables, claims."""

NAME = "ensemble-pruning"
