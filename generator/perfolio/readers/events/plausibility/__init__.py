"""Whether a recording can be as it says: what cannot is mended or left out, counted, and said.

In:  a recording, as a reader filled it.
Out: the recording, mended, and its doubts, in the words of `../doubts.toml`.

    absurd_times     operations whose time was not recorded
    stream_overlaps  operations of a stream that overlap, which runs one after the other
    launch_matching  calls that launch, and whether the recording holds what they launched
    complete_part    the part of a recording that is whole, where a part is not
    lazy_loading     first launches of kernels, which load code
    examination      all of them, in their order

This is done once, before anything follows from the recording: so every figure is of mended times.
"""
