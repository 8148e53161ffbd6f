"""Every public name is called with hostile inputs: `make fuzz`."""
