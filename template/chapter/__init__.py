"""A sixth paper: trials, tables, figures and claims."""

NAME = "sixth-paper"
