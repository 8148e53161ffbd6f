"""Our methods beside those of other packages, in one run, on one thread, in seconds of the processor.

``python -m benchmarks.peers`` measures what ``ratios.csv`` lacks and prints the table, which the book's page of peers
shows. Each peer runs in an environment of its own (``make environment NAME=aix360``, ``fipepy``, ``selectors``).
"""
