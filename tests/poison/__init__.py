"""Reports of which every name is an attack, and a browser that does there all that readers do.

poisoned.py  names that run without a click where a page takes them for more than text, and inputs
             of every format with such names
crawl.py     hovers, focuses, opens, searches and zooms, and looks for a flag
__main__.py  all of it, by hand: python -m tests.poison
"""
