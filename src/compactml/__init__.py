"""Smaller machine-learning models by integer programming: five papers, reproduced."""

from compactml.release import version

__version__ = version("compactml")
