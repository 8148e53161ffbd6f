"""Compiled code of the searches for clauses."""
