"""`python -m generator` is `perfolio`."""

from generator.cli import main

main()
