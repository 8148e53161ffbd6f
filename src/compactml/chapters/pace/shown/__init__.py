"""What the notebooks of the chapter show, a module a notebook: its tables and figures, made of its results."""
