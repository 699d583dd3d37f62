/*---
about: >-
  Operations of the busiest stream by context; of those that one call launched below one context, as a graph does, the
  first alone: layers of a model are no iterations of the program.
---*/
SELECT context, start FROM gpu_operation WHERE profile = busiest_stream() AND call IS NULL
UNION ALL
SELECT context, min(start) FROM gpu_operation WHERE profile = busiest_stream() AND call IS NOT NULL GROUP BY context, call
