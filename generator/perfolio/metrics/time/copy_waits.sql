/*---
title: Waits for copies
better: lower
definition: >-
  Time in which a copy runs on a GPU, no kernel does, and the next kernel may wait for the copy: it starts no sooner than
  the copy ends. Apart the gaps of up to 50 µs right after such copies, in which the host goes on that waited for the
  copy, and the gaps of up to 100 µs right before them, in which the host prepares and launches the copy, unless such a
  gap is the one after another copy. Among both those of less than 32 µs (10^4.5 ns), which may as well be the launch of
  any operation, and how much of the copies runs in streams without kernels. Where kernels of a GPU run in several
  streams, every copy beside no kernel counts, and none as apart.
population: >-
  GPU operations of all streams, of several GPUs the mean. In steady iterations, in all iterations, and in the whole run;
  the narrowest first, with shares of its length. The whole run alone where there is no steady iteration
needs: [gpu_trace]
source: traces
caveat: >-
  Which operation waits for which is not recorded: an upper bound.
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: copies, title: 'Copies', unit: s}
  - {name: gaps, title: 'Gaps right after', unit: s}
  - {name: brief, title: 'Of these, less than 32 µs', unit: s}
  - {name: before, title: 'Gaps right before', unit: s}
  - {name: brief_before, title: 'Of these before, less than 32 µs', unit: s}
  - {name: share, title: 'Copies, share of the time', unit: ratio}
  - {name: gap_share, title: 'Gaps right after, share of the time', unit: ratio}
  - {name: before_share, title: 'Gaps right before, share of the time', unit: ratio}
  - {name: apart, title: 'In streams without kernels, share of the copies', unit: ratio}
---*/
SELECT wait.part, wait.copy / 1e9 AS copies, wait.gap / 1e9 AS gaps, wait.brief / 1e9 AS brief,
    wait.lead / 1e9 AS before, wait.brief_lead / 1e9 AS brief_before,
    wait.copy / nullif(of_part.length, 0) AS share, wait.gap / nullif(of_part.length, 0) AS gap_share,
    wait.lead / nullif(of_part.length, 0) AS before_share,
    wait.apart / nullif(wait.copy, 0) AS apart
FROM copy_waits_in_parts AS wait
CROSS JOIN LATERAL (
    SELECT CASE wait.part WHEN 'run' THEN (SELECT stop - start FROM cpu_trace_span) ELSE wait.length END AS length
) AS of_part
WHERE wait.part IN ('steady iterations', 'run')
    OR wait.part = 'iterations' AND EXISTS (FROM steady_iterations)
ORDER BY wait.place
