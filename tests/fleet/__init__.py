"""The lake, its compaction and its questions."""
