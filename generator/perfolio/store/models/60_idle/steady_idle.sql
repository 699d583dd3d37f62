/*---
about: >-
  How long no operation ran on each GPU in the steady iterations, or without any from the first operation of the run to the
  last one (idle), and how long those are: a GPU that begins later, or ends earlier, is idle there [ns].
---*/
SELECT part.device, any_value(part.stop - part.start) AS length,
    any_value(part.stop - part.start) - coalesce(sum(least(level.stop, part.stop) - greatest(level.start, part.start)), 0) AS idle
FROM gpu_parts AS part
LEFT JOIN gpu_level AS level
    ON level.device = part.device AND level.start < part.stop AND level.stop > part.start
    AND level.kernels + level.copies + level.others > 0
WHERE part.part = if(EXISTS (FROM steady_iterations), 'steady iterations', 'run')
GROUP BY part.device
