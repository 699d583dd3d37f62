"""A second decoder of format 4.0, to compare with: plain Python, one number at a time.

It was written from the format's specification and shares nothing with `perfolio`, not
even a table of offsets: a mistake would have to be made twice to go unnoticed.
"""
