"""Ours beside print: comparison, evidence, verdicts."""
