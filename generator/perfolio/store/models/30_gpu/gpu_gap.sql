/*---
about: >-
  Gaps: intervals between operations of a GPU in which none runs on any of its streams, and whether PC
  sampling may have made one (short): it was on, and the gap is no longer than 5 ms [ns].
---*/
SELECT device, start, stop, stop - start AS duration, stop - start <= 5e6 AND pc_sampled() AS short
FROM gpu_level WHERE kernels + copies + others = 0
