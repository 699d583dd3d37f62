/*---
about: >-
  Contexts of what compilers put in the place of a kernel's launch: up from kernels through the GPU's runtime,
  functions that are called __device_stub_ or have the kernel's own name.
---*/
WITH RECURSIVE placeholder AS MATERIALIZED (
    SELECT context.id AS context, context.parent AS launcher
    FROM context JOIN "function" ON "function".id = context."function" WHERE "function".name = '<gpu kernel>'
),
named AS (
    SELECT parent, regexp_extract(plain_name(function_name), '\w+$') AS bare
    FROM context_name WHERE parent IN (SELECT context FROM placeholder)
),
kernel AS (
    SELECT placeholder.launcher, named.bare
    FROM placeholder LEFT JOIN named ON named.parent = placeholder.context AND named.bare <> ''
),
above AS (
    SELECT launcher AS context FROM kernel
    UNION
    SELECT context.parent FROM above JOIN context ON context.id = above.context
),
passed AS MATERIALIZED (
    SELECT named.context, named.parent, named.relation, regexp_extract(plain_name(named.function_name), '\w+$') AS bare,
        coalesce(named.function_name LIKE '\_\_device\_stub\_%' ESCAPE '\', false) AS generated,
        named.relation = 'lexical' OR gpu_runtime(named.name, named.module_path) AS through
    FROM above JOIN context_name AS named ON named.context = above.context
),
launching AS (
    SELECT launcher AS context, bare AS kernel FROM kernel
    UNION
    SELECT passed.parent, launching.kernel FROM launching JOIN passed ON passed.context = launching.context WHERE passed.through
)
SELECT DISTINCT passed.context
FROM launching JOIN passed ON passed.context = launching.context
WHERE passed.relation <> 'lexical' AND (passed.generated OR passed.bare = launching.kernel)
