/*---
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
