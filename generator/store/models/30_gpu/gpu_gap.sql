/*---
about: >-
  Gaps: intervals between operations of a GPU in which none runs on any of its streams [ns].
---*/
SELECT device, start, stop, stop - start AS duration FROM gpu_level WHERE kernels + copies + others = 0
