/*---
about: >-
  Frames that are host stubs of kernels: see table frame.
---*/
SELECT frame AS context FROM frame WHERE stub
