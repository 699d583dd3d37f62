"""Audit: claims of another report held against the data of a run."""
