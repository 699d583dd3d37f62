"""A Slurm of one node, started for a test."""
