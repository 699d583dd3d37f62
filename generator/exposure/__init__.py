"""What a report would tell of people and machines: paths, names of users and hosts.

people.py    what private paths and names look like
told.py      says what the pages of documents would tell
hiding.py    a document without it, for others to read
proof.py     that a finished site tells nothing of what was hidden

What is found is said before a site is published; `--share` hides it.
"""
