"""Pruning ensembles whose members' predictions are averaged: regression and soft votes."""
