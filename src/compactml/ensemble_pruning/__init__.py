"""Ensemble pruning by an integer program with diversity constraints (Bastos, Brandão and Valle, INOC 2024)."""
