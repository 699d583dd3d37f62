/*---
about: >-
  Frames that launch copies from a GPU to the host and no other copies.
---*/
-- A copy to the host that is not asked for by a synchronous call waits all the same where the memory
-- of the host is not pinned, as for item() in PyTorch; with pinned memory the call takes no time.
SELECT enclosing.frame
FROM gpu_context JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
GROUP BY enclosing.frame
HAVING bool_or(gpu_context.operation = 'copy D2H') AND bool_and(gpu_context.operation = 'copy D2H' OR gpu_context.operation NOT LIKE 'copy%')
