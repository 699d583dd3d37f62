/*---
about: >-
  Gaps of each GPU as far as they lie in steady_span [ns].
---*/
SELECT gap.device, greatest(gap.start, begin.start) AS start, least(gap.stop, span.stop) AS stop,
    least(gap.stop, span.stop) - greatest(gap.start, begin.start) AS duration
FROM gpu_gap AS gap
JOIN begins_on_gpus((SELECT start FROM steady_span)) AS begin ON begin.device = gap.device AND gap.stop > begin.start
JOIN steady_span AS span ON gap.start < span.stop
