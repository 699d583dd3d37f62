"""What a report would tell of people and machines: paths, names of users and hosts.

local_identity.py      what private paths and names look like
disclosure.py          says what the pages of documents would tell
document_redaction.py  a document without it, for others to read
leak_check.py          that a finished site tells nothing of what was hidden

What is found is said before a site is published; `--share` hides it.
"""
