"""Letting go: what is erased for good."""
