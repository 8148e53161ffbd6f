"""One module a solver."""
