"""Tests of perfolio.classroom."""
