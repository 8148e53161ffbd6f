"""Smaller machine-learning models by integer programming: five papers, reproduced."""

from importlib.metadata import version

__version__ = version("compactml")
