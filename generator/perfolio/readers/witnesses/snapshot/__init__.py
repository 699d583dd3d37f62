"""PyTorch's memory snapshot: a pickle of `torch.cuda.memory._dump_snapshot`, read as a stream.

In:  a file. Out: a `Witness` with segments, blocks and allocations, each with its line.

    pickle_machine    the opcodes of a pickle that has builtins alone: calls nothing, imports
                      nothing
    record_shapes     what is kept of a file, and what is asked of each part that is whole
    allocator_trace   events of the allocator, each allocation joined with its release
    reader            what becomes of which dictionary, and of which stack; the tables
"""
