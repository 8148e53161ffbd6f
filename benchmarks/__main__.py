"""Run all benchmarks and print a table of ratios for each: ``make bench`` or ``python -m benchmarks``.

Only ratios of times of one run are printed. Nothing is asserted: they differ from machine to machine.
"""

from __future__ import annotations

from benchmarks import condition_sharing

for module in (condition_sharing,):
    print(module.__doc__, end="\n\n")
    print(module.table().to_string(index=False, justify="left", float_format="{:.2f}".format))
    print(module.note())
