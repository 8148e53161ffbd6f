"""Pace: pruned and compressed ensembles with certified faithfulness (2026): trials, tables, claims."""
