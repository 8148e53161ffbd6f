"""Trials are planned, run where there is room, stored with where they come from, and listed."""
