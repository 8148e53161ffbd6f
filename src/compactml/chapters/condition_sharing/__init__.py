"""Sharing branching conditions in forests: trials, tables, claims."""
