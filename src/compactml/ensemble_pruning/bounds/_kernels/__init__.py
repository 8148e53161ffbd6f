"""Compiled code of the bounds."""
