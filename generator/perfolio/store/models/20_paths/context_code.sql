/*---
about: >-
  Each context with the place of code that it is in (see code), the frame around it (enclosing_frame), and whether it
  was called.
held: true
---*/
WITH place AS (
    SELECT relation <> 'lexical' AS called, lexical_type, entry_point, "function", file, line, module,
        CASE lexical_type WHEN 'instruction' THEN "offset" END AS "offset", min(id) AS code
    FROM context GROUP BY ALL
)
SELECT context.id AS context, context.parent, enclosing.frame, place.code, place.called
FROM context JOIN place ON place.called = (context.relation <> 'lexical')
    AND place.lexical_type = context.lexical_type
    AND place.entry_point = context.entry_point
    AND place."function" IS NOT DISTINCT FROM context."function"
    AND place.file IS NOT DISTINCT FROM context.file
    AND place.line IS NOT DISTINCT FROM context.line
    AND place.module IS NOT DISTINCT FROM context.module
    AND place."offset" IS NOT DISTINCT FROM CASE context.lexical_type WHEN 'instruction' THEN context."offset" END
LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = context.id
