"""The numbers of the prose, a module a notebook: each function returns those of a section, by their names there."""
