"""What tests build on: written databases, kept runs, limits."""
