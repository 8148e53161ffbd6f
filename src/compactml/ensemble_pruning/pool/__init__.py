"""Pools of classifiers and their votes."""
