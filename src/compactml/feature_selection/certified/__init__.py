"""The method that proves its optima: searches, bounds and proofs."""
