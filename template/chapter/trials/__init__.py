"""Kinds of trials: one module a kind."""
