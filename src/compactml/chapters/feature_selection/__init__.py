"""mRMR and CFS feature selection by fractional 0-1 programming (Mehmanchi, Gómez and Prokopyev, 2021)."""

NAME = "feature-selection"
