"""Measurements that are no tests: speed ratios, and runs in the library versions that a paper used."""
