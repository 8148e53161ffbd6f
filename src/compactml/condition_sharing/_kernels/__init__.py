"""Compiled code of sharing conditions."""
