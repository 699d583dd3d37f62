/*---
title: Chunks of the steady state in which the GPU is mostly idle
unit: count
better: lower
definition: >-
  Those of the chunks in which the GPU is mostly idle whose middle lies between the begin of the first
  and the end of the last iteration that is no warm-up.
population: >-
  30 equal parts of the GPU span; all streams, of several GPUs the mean
needs: [gpu_trace, iterations]
source: time.idle_chunks, iterations
---*/
SELECT count(*) AS value
FROM gpu_bins($run, 30, 'gpu') AS bin
JOIN (SELECT min(start) AS start, max(start + duration) AS stop FROM steady_iterations($run)) AS steady
    ON (bin.start + bin.stop) / 2 BETWEEN steady.start AND steady.stop
WHERE bin.busy < 0.5 * (bin.stop - bin.start)
