/*---
about: >-
  For each context the call frame that it lies in: itself if it was called, else the nearest called context
  around it (loops and lines lie in functions).
columns:
  context: UINTEGER; Calling context [id]
  frame: UINTEGER; The calling context of its frame [id]
---*/
WITH RECURSIVE enclosing AS (
    SELECT id AS context, id AS frame FROM context WHERE relation <> 'lexical'
    UNION ALL
    SELECT context.id, enclosing.frame
    FROM enclosing JOIN context ON context.parent = enclosing.context WHERE context.relation = 'lexical'
)
SELECT context, frame FROM enclosing
