"""Compiled code of pruning."""
