"""What the paper and we claim, and the checks."""
