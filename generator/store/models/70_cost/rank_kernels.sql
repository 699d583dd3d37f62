/*---
about: >-
  Kernels of each rank, and which of them are of NCCL or RCCL; no row where none is [ns].
---*/
WITH collective AS (
    SELECT context FROM context_name WHERE is_collective(function_name)
)
SELECT coalesce(profile.rank, 0) AS rank, operation.profile, operation.context,
    operation.start AS start, operation.start + operation.duration AS stop, collective.context IS NOT NULL AS is_collective
FROM gpu_operation AS operation
JOIN profile ON profile."index" = operation.profile
LEFT JOIN collective ON collective.context = operation.context
WHERE operation.operation = 'kernel' AND operation.duration > 0 AND EXISTS (FROM collective)
