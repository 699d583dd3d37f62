"""Predictions by formula."""
