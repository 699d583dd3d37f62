/*---
title: CPU cost by module
better: lower
definition: >-
  CPU cost spent in the code of each executable and library, largest first. Where the Python unwinder was on,
  <logical python> has what is charged to functions of Python.
population: call frames, scope function
needs: [cpu_event]
source: costs by scope
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events. The profile charges functions of Python with
  the interpreter that runs them and with a part of the compiled code of extensions that they call; by
  samples (time.modules) that is in modules of its own.
empty: no thread has a CPU cost
columns:
  - {name: module, title: 'Module', unit: text}
  - {name: time, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT coalesce(module_path, 'unknown module') AS module, sum(exclusive) AS "time",
    sum(exclusive) / total_of(cpu_event_of()) AS share
FROM cpu_frames
GROUP BY ALL
HAVING sum(exclusive) > 0
ORDER BY "time" DESC, module
