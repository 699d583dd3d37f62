/*---
about: >-
  Gaps of each GPU as far as they lie in steady_span [ns].
---*/
SELECT gap.device, greatest(gap.start, part.start) AS start, least(gap.stop, part.stop) AS stop,
    least(gap.stop, part.stop) - greatest(gap.start, part.start) AS duration
FROM gpu_gap AS gap
JOIN gpu_parts AS part
    ON part.device = gap.device AND gap.start < part.stop AND gap.stop > part.start
    AND part.part = if(EXISTS (FROM steady_iterations), 'steady iterations', 'run')
