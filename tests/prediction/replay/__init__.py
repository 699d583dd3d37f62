"""Replays of runs: against a second implementation, simulated truth, and recorded pairs."""
