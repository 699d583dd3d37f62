/*---
about: >-
  The idle time that recurring_blame shares out, sampled or not: of gaps that begin in steady iterations, or
  of all between GPU operations, the mean over GPUs; NULL without any [ns].
value: true
---*/
SELECT sum(duration) / gpus()
FROM idle_total WHERE inside AND (period IN ('steady', 'outlier') OR NOT EXISTS (FROM steady_iterations))
