/*---
title: Waiting for the GPU in steps
unit: ratio
better: lower
definition: >-
  As calls.wait_share, but of steps that the program marks: the time that one host thread was in calls that wait for a GPU within
  the steps of its process, as a share of all time of these.
population: calls within marked steps
needs: [host_call]
source: begin and end of each call and of each step
caveat: >-
  What a script waits for before and after its steps is how it was measured, and no part of this.
empty: no step is marked in a process whose calls were recorded
---*/
SELECT coalesce(max(waited.in_steps / waited.steps), 0) AS value
FROM (SELECT process, sum(stop - start) AS steps FROM marked_stretch GROUP BY process) AS marked
LEFT JOIN process_thread AS thread ON thread.process = marked.process
LEFT JOIN (FROM runtime_time WHERE kind = 'wait' AND steps > 0) AS waited ON waited.profile = thread.profile
HAVING sum(marked.steps) > 0
