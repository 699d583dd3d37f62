/*---
title: Long gaps, share of steady iterations
unit: ratio
better: lower
definition: >-
  Share of the time of steady iterations in gaps that are longer than 50 µs each. Start-up, warm-up and
  the end of the run are not in it. Not given where PC sampling was on.
population: >-
  steady iterations, or the GPU span where none were found; all GPUs and streams
needs: [gpu_trace, unsampled]
source: traces
---*/
SELECT coalesce(sum(duration) FILTER (WHERE duration > 50000), 0)
    / nullif((
        SELECT sum(least(device.stop, span.stop) - greatest(device.start, span.start))
        FROM gpu_device AS device JOIN steady_span AS span ON device.start < span.stop AND device.stop > span.start
    ), 0) AS value
FROM steady_gaps
