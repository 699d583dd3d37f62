"""Tests of perfolio.cli."""
