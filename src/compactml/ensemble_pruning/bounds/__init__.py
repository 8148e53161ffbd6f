"""Bounds on the best ensemble that need no integer program."""
