/*---
title: Wall time in which nothing runs, nearly all of it in Python
unit: ratio
better: lower
definition: >-
  The metric time.nothing_runs_share of a run without GPU work, where nine tenths of this time at least
  end in a sample with a function of Python on its calling path, as they do where the profiler's own hook
  in Python takes the time, and CPU clocks ran meanwhile: the metric time.nothing_runs_clocked is 0.75 at
  least, where waits alone have 0.5 at most by chance.
population: >-
  CPU trace lines of all profiles; from the first trace point to the last
needs: [CPUTIME (sec), cpu_trace]
source: "HPCToolkit's traces; hpcrun/logical/python.c sets a hook that Python calls at each call"
caveat: >-
  Waits that each last a whole number of the timer's periods are seen alike.
empty: >-
  threads were sampled by elapsed time, the run works on a GPU, less than nine tenths of the time in
  which nothing runs end in Python, or threads may have waited for half of it or more
---*/
WITH idle AS MATERIALIZED (
    SELECT enclosing.frame, CAST(sum(idle.duration) AS DOUBLE) AS spent, CAST(sum(idle.clocked) AS DOUBLE) AS clocked
    FROM idle_time AS idle
    JOIN enclosing_frames($run) AS enclosing ON enclosing.context = idle.context
    WHERE idle.run = $run
    GROUP BY enclosing.frame
),
told AS (
    SELECT target AS frame, bool_or(python) AS python
    FROM path_frames($run, (SELECT list(frame) FROM idle))
    GROUP BY target
)
SELECT sum(idle.spent) / any_value(span.stop - span.start) AS value
FROM idle
JOIN told ON told.frame = idle.frame
JOIN cpu_trace_span AS span ON span.run = $run AND span.stop > span.start
WHERE NOT EXISTS (SELECT 1 FROM gpu_span WHERE run = $run)
HAVING sum(idle.spent) FILTER (WHERE told.python) >= 0.9 * sum(idle.spent)
    AND sum(idle.clocked) >= 0.75 * sum(idle.spent)
