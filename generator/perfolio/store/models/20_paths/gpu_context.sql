/*---
about: >-
  Calling contexts of GPU operations: placeholders such as <gpu kernel> and all below them.
when: FROM "function" WHERE name LIKE '<gpu %>'
columns:
  context: UINTEGER; Calling context [id]
  launcher: "UINTEGER; The context that launched it: the parent of the outermost placeholder [id]"
  operation: >-
    VARCHAR; kernel, copy H2D, copy D2H, copy D2D, copy P2P, copy, migration, memset, allocation, synchronisation or other, by the
    nearest placeholder [text]
  words: "VARCHAR; The operation in words: the short name of its kernel, or its kind [text]"
---*/
WITH placed AS (
    SELECT context, launcher,
        CASE placeholder
            WHEN '<gpu kernel>' THEN 'kernel'
            WHEN '<gpu copyin>' THEN 'copy H2D'
            WHEN '<gpu copyout>' THEN 'copy D2H'
            WHEN '<gpu copy>' THEN CASE WHEN on_device THEN 'copy D2D' ELSE 'copy' END
            WHEN '<gpu peer copy>' THEN 'copy P2P'
            WHEN '<gpu migration>' THEN 'migration'
            WHEN '<gpu memset>' THEN 'memset'
            WHEN '<gpu alloc>' THEN 'allocation'
            WHEN '<gpu delete>' THEN 'allocation'
            WHEN '<gpu sync>' THEN 'synchronisation'
            ELSE 'other'
        END AS operation
    FROM placeholder_contexts
    -- HPCToolkit names copies from and to the host apart; where it does, what is left stays on the
    -- device, unless bytes of another direction were counted.
    CROSS JOIN (
        SELECT (
                EXISTS (SELECT 1 FROM function WHERE name IN ('<gpu copyin>', '<gpu copyout>'))
                OR total_of('copy_bytes:D2D') > 0
            ) AND NOT EXISTS (
                SELECT 1 FROM total
                WHERE value > 0 AND name LIKE 'copy_bytes:%'
                    AND name NOT IN ('copy_bytes:D2D', 'copy_bytes:H2D', 'copy_bytes:D2H')
            ) AS on_device
    )
),
short AS (
    SELECT name, kernel_short(brief, detail) AS words
    FROM (
        SELECT name, short_name(name) AS brief, kernel_detail(name) AS detail
        FROM (SELECT DISTINCT name FROM context_name WHERE context IN (SELECT context FROM placed))
    )
)
SELECT placed.context, placed.launcher, placed.operation,
    CASE WHEN named.name LIKE '<%' THEN placed.operation ELSE coalesce(short.words, placed.operation) END AS words
FROM placed JOIN context_name AS named ON named.context = placed.context LEFT JOIN short ON short.name = named.name
