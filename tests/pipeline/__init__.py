"""Tests of perfolio.pipeline."""
