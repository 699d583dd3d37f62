"""Clocks of a recording: how far each is off, by what must hold.

A kernel begins after its launch, and a wait returns after the work that it waits for: these bound
how far the clock of a GPU is from that of its host. A collective ends on no rank before the last
one has come, and ends on all of them together: that tells clocks of hosts apart.

In:  a recording, and the call that launched each operation.
Out: its times on one clock where offsets are constant, and what was found of each clock.
"""
