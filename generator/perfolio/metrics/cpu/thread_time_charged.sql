/*---
title: Elapsed time that was charged to code
unit: ratio
better: higher
definition: >-
  Elapsed time of a thread by its samples over the time from its first to its last trace point:
  the lowest one of the threads that span a tenth of the run at least. The rest was charged to no
  function: samples were lost, or the profiler worked itself.
population: CPU threads with elapsed time and a trace line
needs: [elapsed_time, profiles, cpu_trace, host_samples]
source: measure elapsed_time and traces
empty: no thread spans a tenth of the run
---*/
SELECT min(least(recorded.value * 1e9 / (line.stop - line.start), 1)) AS value
FROM trace_line AS line
JOIN profile_total AS recorded
    ON recorded.profile = line.profile AND recorded.name = 'elapsed_time'
WHERE line.kind = 'CPU thread' AND line.stop > line.start
    AND line.stop - line.start >= 0.1 * (SELECT max(stop) - min(start) FROM trace_line)
