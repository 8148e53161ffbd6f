"""Pruning for several classes: the selected classifiers decide by plurality."""
