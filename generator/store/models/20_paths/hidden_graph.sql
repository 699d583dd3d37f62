/*---
about: >-
  A row where the program launches CUDA graphs and the run holds no operation of them: what it holds of the GPU
  is then a part of unknown size.
---*/
SELECT true AS hidden
WHERE EXISTS (FROM "function" WHERE launches_graph(name))
    AND NOT EXISTS (
        FROM gpu_context
        JOIN context ON context.id = gpu_context.launcher
        JOIN "function" ON "function".id = context."function"
        WHERE launches_graph("function".name)
    )
