/*---
about: >-
  Kernels of each rank, and which of them communicate (kernel_class); no row where none does. A process of unknown rank counts as rank 0
  [ns].
---*/
WITH communicating AS (
    SELECT context FROM kernel_class WHERE class = 'collective'
)
SELECT coalesce(profile.rank, 0) AS rank, operation.profile, operation.context,
    operation.start AS start, operation.start + operation.duration AS stop, communicating.context IS NOT NULL AS is_collective
FROM gpu_operation AS operation
JOIN profile ON profile."index" = operation.profile
LEFT JOIN communicating ON communicating.context = operation.context
WHERE operation.operation = 'kernel' AND operation.duration > 0 AND EXISTS (FROM communicating)
