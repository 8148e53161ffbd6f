"""Pace: pruned and compressed ensembles with certified faithfulness (2026): trials, tables, figures and claims."""

NAME = "pace"
