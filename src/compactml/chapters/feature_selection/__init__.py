"""mRMR and CFS feature selection by fractional 0-1 programming (2021): trials, tables, claims."""
