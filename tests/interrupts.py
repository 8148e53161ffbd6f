"""A program that gets Ctrl-C at an import that a test chooses."""

from __future__ import annotations

import subprocess
import sys

BEGINNING = """
import os, sys
class Interrupts:
    def find_spec(name, path=None, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(Interrupts)
            os.kill(os.getpid(), 2)
sys.meta_path.insert(0, Interrupts)
"""
"""Nothing is imported here that Python has not at its start."""


def interrupted_at(module: str, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that is interrupted when a module is looked for; its arguments are ``sys.argv[2:]``."""
    command = [sys.executable, "-c", BEGINNING + program, module, *arguments]
    return subprocess.run(command, capture_output=True, text=True)
