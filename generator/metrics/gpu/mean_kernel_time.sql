/*---
title: Mean kernel time
unit: s
better: higher
definition: >-
  Kernel time over the number of launches. Short kernels leave the GPU waiting for launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GKER (sec), GKER:COUNT]
source: GKER (sec) / GKER:COUNT
caveat: >-
  A mean over all kernels; their durations usually differ by orders of magnitude: see
  the table of kernels. On compute capability 9 and newer it covers those that HPCToolkit sees.
empty: the profile counts no kernel launches
---*/
SELECT total_of($run, 'GKER (sec)') / nullif(total_of($run, 'GKER:COUNT'), 0) AS value
