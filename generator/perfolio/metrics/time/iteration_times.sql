/*---
title: Times of iterations
better: neither
definition: >-
  Begin and duration of each iteration, the GPU busy time and the longest gap in it, and
  whether it is warm-up, an outlier or incomplete (the last one: nothing shows its end).
  For what iterations are see time.iterations; a marked step begins when the host begins it and GPUs have ended what was
  launched before, and the end of the last one is known.
population: >-
  the first 2,000 iterations; busy time and gap are means over GPUs, of whole gaps that
  begin in the iteration where there are several, and so is when each begins the first one
needs: [gpu_trace, iterations]
source: traces
columns:
  - {name: iteration, title: 'Iteration', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: gpu_busy, title: 'GPU busy', unit: s}
  - {name: longest_gap, title: 'Longest gap', unit: s}
  - {name: mark, title: 'Mark', unit: text}
---*/
SELECT iteration, (iteration.start - traced_span.start) / 1e9 AS start, (iteration.stop - iteration.start) / 1e9 AS duration,
    gpu_busy / 1e9 AS gpu_busy, longest_gap / 1e9 AS longest_gap, mark
FROM iteration JOIN traced_span ON true
ORDER BY iteration
LIMIT 2000
