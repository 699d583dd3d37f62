/*---
about: >-
  Gaps that PC sampling may have made, which runs kernels one after another and keeps them apart: those of up to
  5 ms where it was on [ns].
---*/
SELECT device, start, stop, duration FROM gpu_gap WHERE is_short_gap(duration)
