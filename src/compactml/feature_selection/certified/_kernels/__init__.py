"""Compiled code of searches and proofs."""
