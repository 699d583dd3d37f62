/*---
about: >-
  Each call frame with the function that its code is compiled into: itself, or where it is inlined the closest
  frame around it that is not.
---*/
WITH RECURSIVE around AS (
    SELECT id AS frame, id AS code FROM context WHERE relation NOT IN ('lexical', 'inlined call')
    UNION ALL
    SELECT inlined.id, around.code
    FROM around
    JOIN frame ON frame.caller = around.frame
    JOIN context AS inlined ON inlined.id = frame.frame AND inlined.relation = 'inlined call'
)
FROM around
