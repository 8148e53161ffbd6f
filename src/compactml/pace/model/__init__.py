"""Trees and ensembles on the grid, the region, and the faithfulness set."""
