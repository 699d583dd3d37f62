"""A site against its inputs: read again, evaluate, render, build, compare."""
