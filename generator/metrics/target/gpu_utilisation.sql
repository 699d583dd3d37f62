/*---
title: GPU utilisation without the longest waits
unit: ratio
better: higher
definition: >-
  Share of wall time in which GPU operations would run if the longest gap of each steady
  iteration vanished and nothing else changed: what hiding the one largest wait allows.
population: >-
  the wall time, less the longest gaps of complete iterations that are no warm-up; of several
  GPUs the mean of both
needs: [cpu_trace, gpu_trace, iterations]
source: HPCToolkit's traces
empty: without those gaps the GPU would still be used for less than 1 % of the wall time
caveat: Start-up, warm-up and all shorter gaps stay; a longer run has less of the first two.
---*/
SELECT value
FROM (
    SELECT use.busy / nullif(span.stop - span.start - gaps.longest, 0) AS value
    FROM gpu_use AS use
    JOIN cpu_trace_span AS span ON span.run = use.run
    CROSS JOIN (SELECT sum(longest_gap) AS longest FROM steady_iterations($run)) AS gaps
    WHERE use.run = $run
)
WHERE value >= 0.01
