"""Run a program or a module in whose process all clocks are the processor's: ``python -P processor_clock.py NAME ...``.

So a limit in seconds buys the same work on a busy machine, for us and for others, and what a program of a chapter calls
seconds is what the processor worked. It imports nothing of this project: peers run it in their environments.
"""

from __future__ import annotations

import runpy
import sys
import time

if __name__ == "__main__":
    time.time = time.perf_counter = time.monotonic = time.process_time
    sys.argv = sys.argv[1:]
    if sys.argv[0].endswith(".py"):
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
