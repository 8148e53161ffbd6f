"""The integer program of the paper, and what makes it stronger."""
