/*---
about: >-
  CPU cost of a run without waiting and without the runtime of a GPU; with what came late (late_cost).
value: true
---*/
SELECT sum(exclusive) FROM cpu_frames WHERE role = 'working'
