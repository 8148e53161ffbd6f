"""The command line: ``compactml run | trials | records | data | solvers | claims | cite``."""

from compactml.cli.program import main, main_group

__all__ = ["main", "main_group"]
