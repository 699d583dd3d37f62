/*---
about: >-
  Call frames of functions that wait by their own name or module (is_waiting).
---*/
SELECT frame.frame
FROM frame
JOIN (
    SELECT key, name, module_path FROM (SELECT DISTINCT key, name, module_path FROM frame) WHERE is_waiting(module_path, name)
) AS waits ON waits.key = frame.key AND waits.name = frame.name AND waits.module_path IS NOT DISTINCT FROM frame.module_path
