"""The constraints of the integer program, one family a module."""
