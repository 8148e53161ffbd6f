"""Compiled code of the searches over rule sets."""
