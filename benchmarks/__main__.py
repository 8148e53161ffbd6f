"""Run all benchmarks and print a table of ratios for each: ``make bench`` or ``python -m benchmarks``.

Speeds are ratios of times of one run. Nothing is asserted: they differ from machine to machine.
"""

from __future__ import annotations

from benchmarks import boolean_rules, condition_sharing, ensemble_pruning, feature_selection, pace, planning

for module in (condition_sharing, boolean_rules, feature_selection, ensemble_pruning, pace, planning):
    print(module.__doc__, end="\n\n")
    print(module.table().to_string(index=False, justify="left", float_format="{:.2f}".format))
    print(module.note())
