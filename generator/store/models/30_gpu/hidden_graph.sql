/*---
about: >-
  A row where the program launches CUDA graphs and the run holds no operation of them: what it holds of the GPU
  is then a part of unknown size.
---*/
WITH launcher AS (
    SELECT id FROM "function" WHERE regexp_matches(name, '^cu(da)?GraphLaunch')
)
SELECT true AS hidden
WHERE EXISTS (FROM launcher) AND NOT EXISTS (
    FROM gpu_context JOIN context ON context.id = gpu_context.launcher WHERE context."function" IN (FROM launcher)
)
-- Where calls are recorded, operations without one of their own may be a graph's.
AND NOT (EXISTS (FROM host_call) AND EXISTS (FROM gpu_operation WHERE call IS NULL))
