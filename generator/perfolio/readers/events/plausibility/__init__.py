"""Whether a recording can be as it says: what cannot is mended or left out, counted, and said.

In:  a recording, as a reader filled it.
Out: the recording, mended, and its doubts, in the words of `../doubts.toml`.

    operation_times  operations whose time was not recorded, and those of a stream that overlap
    launch_matching  calls that launch, whether the recording holds what they launched, and first
                     launches of kernels, which load code
    complete_part    the part of a recording that is whole, where a part is not
    examination      all of them, in their order

This is done once, before anything follows from the recording: so every figure is of mended times.
"""
