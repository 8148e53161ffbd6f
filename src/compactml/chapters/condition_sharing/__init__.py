"""Sharing branching conditions (Nakamura and Sakurada, 2022): trials, tables, figures and claims."""

NAME = "condition-sharing"
