"""New trees: pricing, optimal trees, and scores of leaves."""
