"""Canaries: private words planted in each text of each input, and searched in each output.

plant.py     the words, and what plants them in JSON, SQLite, CSV and lines
inputs.py    an input of each format, full of them
outputs.py   what each command writes with --share, and which of them it tells
__main__.py  all formats, by hand: python -m tests.canaries
"""
