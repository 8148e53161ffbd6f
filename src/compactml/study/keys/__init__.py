"""What decides a trial's result, as one key: code, libraries, solvers, data."""
