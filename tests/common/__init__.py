"""Tests of perfolio.common."""
