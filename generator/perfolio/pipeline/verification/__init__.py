"""Verification: a site against what its inputs give today.

In:  a site, and the profiles that it was made from.
Out: everything that differs, by its place: an input, a value of a document, a page.

Nothing is trusted but the profiles: they are read again, evaluated, rendered and built, without
any cache, into a temporary folder.
"""
