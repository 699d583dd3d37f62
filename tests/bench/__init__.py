"""Benchmarks: `make bench`. Not part of the tests: times depend on the machine."""
