"""Compiled code of the searches for separating points."""
