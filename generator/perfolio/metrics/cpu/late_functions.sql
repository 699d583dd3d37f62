/*---
title: Functions whose samples came late
better: lower
definition: >-
  Functions that work in which samples of elapsed time came late (see the metric cpu.late_share), largest
  first, with their share of the work of all functions that have samples, and both together. Where a function has far more of what came
  late than of the work, the kernel may hold its calls, or threads lose their core in them where cores
  are short; where both are alike, threads had no core, or it was the profiler. Where one distance between samples is
  most of it, nothing of the kind follows.
population: >-
  call frames of CPU threads, scope function, waiting and the runtime of a GPU left out; the first 10. What the profile charges
  to functions without a sample, as to all those of Python, is in no share of work: nothing tells whether it came late
needs: [elapsed_time, cpu_event, profiles, cpu_trace, host_samples]
source: measure elapsed_time and traces; the model work_cost
caveat: >-
  The sum of what came late is a lower bound, as cpu.late_share is: the error of the sum is taken off each function in
  the same proportion. Shares of work leave out what came late without that error, so that the two are not all of the time.
empty: no sample came late, or the profile has CPU time
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: late, title: 'Came late', unit: thread-s}
  - {name: late_share, title: 'Share of what came late', unit: ratio}
  - {name: longest, title: 'Longest distance of samples', unit: s}
  - {name: work_share, title: 'Share of work that has samples', unit: ratio}
  - {name: over_work, title: 'The former over the latter', unit: x}
  - {name: time, title: 'Work and what came late', unit: thread-s}
  - {name: share, title: 'Share of time outside waits', unit: ratio}
---*/
WITH sampled AS (
    SELECT around.code, max(sample.longest) / 1e9 AS longest
    FROM sampled_frame AS sample JOIN around_inlined AS around ON around.frame = sample.frame GROUP BY around.code
)
SELECT any_value(frames.name) AS "function", any_value(frames.module_path) AS module,
    sum(spent.late) AS late,
    sum(spent.late) / nullif(sum(sum(spent.late)) OVER (), 0) AS late_share,
    max(sampled.longest) AS longest,
    coalesce(sum(spent.work) FILTER (WHERE sampled.code IS NOT NULL), 0)
        / sum(sum(spent.work) FILTER (WHERE sampled.code IS NOT NULL)) OVER () AS work_share,
    CASE WHEN 2 * max(sampled.longest) <= sum(spent.late)
        THEN sum(spent.late) / sum(sum(spent.late)) OVER () / nullif(work_share, 0) END AS over_work,
    sum(spent.spent) AS "time", sum(spent.spent) / sum(sum(spent.spent)) OVER () AS share
FROM work_cost AS spent
JOIN frame AS frames ON frames.frame = spent.frame
LEFT JOIN around_inlined AS around ON around.frame = spent.frame
LEFT JOIN sampled ON sampled.code = around.code
WHERE cpu_event_of() = 'elapsed_time'
GROUP BY spent.key
QUALIFY sum(spent.late) > 0
ORDER BY late DESC, spent.key
LIMIT 10
