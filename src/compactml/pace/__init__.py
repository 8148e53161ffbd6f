"""Prune and compress tree ensembles with certified faithfulness (Akkerman, Ferry, Guyard and Vidal, 2026)."""
