/*---
title: GPU utilisation without the longest waits
unit: ratio
better: higher
definition: >-
  Share of wall time in which GPU operations would run if the longest gap of each steady
  iteration vanished and nothing else changed: what hiding the one largest wait allows. Only for runs
  that use the GPU for a tenth of it or less: of others, work on the GPU and waits in collectives are
  much, and steps that remove these lower the share while they shorten the run.
population: >-
  the wall time, less the longest gaps of complete iterations that are no warm-up; of several
  GPUs the mean of both
needs: [cpu_trace, gpu_trace, iterations]
source: HPCToolkit's traces
empty: >-
  the GPU is used for more than a tenth of the wall time, or without those gaps it would still be for less
  than 1 %
caveat: Start-up, warm-up and all shorter gaps stay; a longer run has less of the first two.
---*/
SELECT value
FROM (
    SELECT use.busy / nullif(span.stop - span.start - gaps.longest, 0) AS value,
        use.busy / nullif(span.stop - span.start, 0) AS used
    FROM gpu_use AS use
    JOIN cpu_trace_span AS span ON span.run = use.run
    CROSS JOIN (SELECT sum(longest_gap) AS longest FROM steady_iterations($run)) AS gaps
    WHERE use.run = $run
)
WHERE value >= 0.01 AND used <= 0.1
