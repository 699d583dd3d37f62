/*---
title: Calls that open and close devices while the GPU is initialised
better: lower
definition: >-
  Samples during GPU initialisation whose innermost function opens or closes a file and that come
  more than 0.1 s after the thread's sample before: how many, and the time that they stand for.
population: >-
  threads that launch GPU operations, from the first trace point to the first GPU operation; all
  CPU threads and the whole run where no GPU operation was recorded. Threads at once count once
needs: [cpu_trace]
source: traces; names of functions of the C library
caveat: >-
  That a call blocks for as long is an inference: a thread that waits in the kernel has no samples
  of CPU time, and its next one is taken in the call that it comes out of. Which file it opens is not
  recorded.
empty: no sample of GPU initialisation in a call that opens or closes a file comes more than 0.1 s after the one before
columns:
  - {name: call, title: 'Call', unit: text}
  - {name: calls, title: 'Calls', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: median, title: 'Median', unit: s}
---*/
WITH stretch AS (
    SELECT regexp_extract(regexp_replace(frames.name, ' \[[^\]]*\]$', ''), '^_*(GI_+)?(libc_)?(open|close)(at)?(64)?(_nocancel)?$', 3) AS call,
        touched.stop - touched.start AS spent
    FROM gpu_start AS touched
    JOIN frame AS frames ON frames.frame = touched.frame
)
SELECT call, count(*) AS calls, sum(spent) / 1e9 AS "time", median(spent) / 1e9 AS median
FROM stretch
WHERE call <> '' AND spent > 1e8
GROUP BY call
ORDER BY call DESC
