/*---
title: Time in OpenMP's library, share of its threads' lifetime
unit: ratio
better: lower
definition: >-
  Time for which samples show CPU threads in the code of an OpenMP library itself, as a share of the
  time from the first to the last trace point of the threads that were seen there. There they start and end
  parallel regions, and wait for work.
population: >-
  CPU trace lines with a sample in such a library
needs: [cpu_trace]
source: traces; names of libraries
caveat: >-
  No share of the run's time: helper threads that wait cost the run only where others need their cores.
empty: no thread was sampled in OpenMP's library
---*/
WITH spent AS MATERIALIZED (
    SELECT cpu_time.profile, enclosing.frame, sum(cpu_time.duration) AS spent
    FROM cpu_time JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
    GROUP BY cpu_time.profile, enclosing.frame
),
-- Apart from the join, as in time.modules.
inside AS MATERIALIZED (
    SELECT frame FROM frame WHERE regexp_matches(parse_filename(module_path), '^lib(gomp|iomp5|omp)[^a-z]')
)
SELECT sum(spent.spent) / sum(spent.lasted) AS value
FROM (
    SELECT sum(spent.spent) AS spent, any_value(line.stop - line.start) AS lasted
    FROM spent JOIN trace_line AS line ON line.profile = spent.profile
    WHERE spent.frame IN (SELECT frame FROM inside)
    GROUP BY spent.profile
) AS spent
