"""Whether a recording can be as it says: what cannot is mended or left out, counted, and said.

In:  a recording, as a reader filled it.
Out: the recording, mended, and its doubts, in the words of `../doubts.toml`.

    times        operations whose time was not recorded
    overlaps     operations of a stream that overlap, which runs one after the other
    launches     calls that launch, and whether the recording holds what they launched
    whole_part   the part of a recording that is whole, where a part is not
    loading      first launches of kernels, which load code
    examine      all of them, in their order

This is done once, before anything follows from the recording: so every figure is of mended times.
"""
