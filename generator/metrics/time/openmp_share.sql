/*---
title: Time in OpenMP's library, share of sampled thread time
unit: ratio
better: lower
definition: >-
  Time for which samples show CPU threads in the code of an OpenMP library itself, as a share of
  that of all samples. There threads start and end parallel regions, and wait for work.
population: >-
  CPU trace lines of all profiles; time summed over threads
needs: [cpu_trace]
source: HPCToolkit's traces; names of libraries
caveat: >-
  No share of the run's time: helper threads that wait cost the run only where others need their cores.
empty: no thread was sampled in OpenMP's library
---*/
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(cpu_time.duration) AS spent
    FROM cpu_time JOIN enclosing_frames($run) AS enclosing ON enclosing.context = cpu_time.context
    WHERE cpu_time.run = $run
    GROUP BY enclosing.frame
),
-- Apart from the join, as in time.modules.
inside AS MATERIALIZED (
    SELECT frame FROM frames($run) WHERE regexp_matches(parse_filename(module_path), '^lib(gomp|iomp5|omp)[^a-z]')
)
SELECT sum(spent) FILTER (WHERE frame IN (SELECT frame FROM inside)) / sum(spent) AS value
FROM spent
