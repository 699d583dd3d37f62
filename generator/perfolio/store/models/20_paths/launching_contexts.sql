/*---
about: >-
  Contexts that share at least half of the calling path of a GPU operation: a thread that was seen in one of
  them launches GPU operations.
---*/
WITH RECURSIVE site AS (
    SELECT DISTINCT context.id, context.parent, context.depth, context.depth AS bottom
    FROM gpu_context JOIN context ON context.id = gpu_context.launcher
),
path AS (
    SELECT id, parent, depth, bottom FROM site
    UNION
    SELECT context.id, context.parent, context.depth, path.bottom
    FROM path JOIN context ON context.id = path.parent WHERE 2 * context.depth >= path.bottom
),
near AS (
    SELECT DISTINCT id FROM path
    UNION
    SELECT context.id FROM near JOIN context ON context.parent = near.id
)
SELECT id AS context FROM near WHERE id NOT IN (SELECT context FROM gpu_context)
