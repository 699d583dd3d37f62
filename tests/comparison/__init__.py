"""Comparison: run records, their division, and what follows from two groups of them."""
