"""The first notebook: the method on instances small enough to check by hand, and on one real pool."""
