/*---
about: >-
  Iterations that statistics are made of: complete ones that are no warm-up [ns].
---*/
SELECT iteration, start, stop - start AS duration, gpu_busy, longest_gap FROM iteration WHERE mark NOT IN ('warm-up', 'incomplete')
