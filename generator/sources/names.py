"""Names that HPCToolkit makes up."""

PYTHON_MODULE = "<logical python>"
"""The load module of functions of Python."""
