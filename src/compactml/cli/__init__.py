"""The command line: ``compactml run | show | trace | verify | ...``."""

from compactml.cli.program import main, main_group

__all__ = ["main", "main_group"]
