/*---
name: context_name
about: >-
  Each calling context with a name that people can read, and its function, file, line and module.
---*/
SELECT context.id AS context, context.parent, context.depth, context.entry_point,
    context.lexical_type, context.relation, context.function,
    CASE context.lexical_type
        WHEN 'entry' THEN '<' || context.entry_point || '>'
        WHEN 'loop' THEN 'loop at ' || coalesce(parse_filename(file.path), '?') || ':' || coalesce(context.line, 0)
        WHEN 'line' THEN coalesce(parse_filename(file.path), '?') || ':' || coalesce(context.line, 0)
        WHEN 'instruction' THEN coalesce(parse_filename(module.path), '?') || '@0x' || printf('%x', context."offset"::BIGINT)
        ELSE coalesce(function.name, '<unknown function>')
    END AS name,
    function.name AS function_name, file.path AS file_path, context.line,
    coalesce(module.path, function_module.path) AS module_path
FROM context
LEFT JOIN function ON function.id = context.function
LEFT JOIN file ON file.id = context.file
LEFT JOIN module ON module.id = context.module
LEFT JOIN module AS function_module ON function_module.id = function.module

/*---
name: placeholder_contexts
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
