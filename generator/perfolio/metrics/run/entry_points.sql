/*---
title: Entry points
better: neither
definition: >-
  Where call paths begin, with the contexts below each and their cost. The GPU's work counts for
  the thread that launched it, and none is shown where a part of it was not recorded (CUDA graphs).
population: entry points, scope execution
needs: [values]
source: costs by scope
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events.
columns:
  - {name: entry_point, title: 'Entry point', unit: text}
  - {name: contexts, title: 'Calling contexts', unit: count}
  - {name: cpu, title: 'CPU cost', unit: "1"}
  - {name: gpu, title: 'GPU-operation time', unit: s}
---*/
SELECT context.entry_point, count(*) AS contexts,
    sum(cpu.value) AS cpu, sum(gpu.value) AS gpu
FROM context
LEFT JOIN cost AS cpu ON cpu.context = context.id AND context.parent = 0
    AND cpu.scope = 'execution' AND cpu.name = cpu_event_of()
LEFT JOIN cost AS gpu ON gpu.context = context.id AND context.parent = 0
    AND gpu.scope = 'execution' AND gpu.name = 'gpu_operation_time'
    AND NOT EXISTS (FROM hidden_work)
GROUP BY context.entry_point
ORDER BY contexts DESC, context.entry_point
