"""Pricing: clauses that improve the master problem, or the proof that there are none."""
