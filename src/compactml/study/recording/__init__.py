"""Printed and recorded numbers, and where they come from."""
