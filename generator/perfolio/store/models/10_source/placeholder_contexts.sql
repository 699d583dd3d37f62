/*---
about: >-
  Contexts of GPU operations: those of functions such as <gpu kernel> and all below, with the nearest such
  function and what launched it.
---*/
WITH RECURSIVE below AS (
    SELECT context.id AS context, context.parent AS launcher, function.name AS placeholder
    FROM context JOIN function ON function.id = context.function WHERE function.name LIKE '<gpu %>'
    UNION ALL
    SELECT context.id, below.launcher, below.placeholder FROM below JOIN context ON context.parent = below.context
)
SELECT context, arg_max(launcher, depth) AS launcher, arg_max(placeholder, depth) AS placeholder
FROM (SELECT below.*, launcher.depth FROM below LEFT JOIN context AS launcher ON launcher.id = below.launcher) GROUP BY context
