"""The documentation agrees with the program."""
