"""A run's whole timeline for the live page: every interval to the nanosecond, in files by time.

In:  the store of a run whose tool recorded begins and ends. Out: script files by name, which
     `timeline.js` loads as they come into view; nothing of other runs.

    run_intervals    the store to rows of intervals that never overlap: threads by depth, streams
    tile_pyramid     rows to tiles: the run in ever shorter parts, until each part is exact
    tile_encoding    a tile's columns to bytes, and bytes to a script

A tile of many intervals merges short ones that lie in one bin; a tile of at most `MOST_EXACT`
holds all of its part as the store has them.
"""
