/*---
about: >-
  Gaps within steady iterations, without the long wait of each: see idle_gaps [ns].
---*/
SELECT device, start, stop, duration FROM idle_gaps WHERE period IN ('steady', 'outlier') AND gap <> 'wait'
