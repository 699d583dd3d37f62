"""Workloads: what variants say, and what they record."""
