-- Views and macros that metrics share. Each has a comment; each column keeps the unit of its table.

CREATE VIEW total AS
SELECT run, name, scope_total AS value
FROM (
    SELECT metric.run, metric.name, summary.value AS scope_total
    FROM metric
    JOIN summary ON summary.run = metric.run AND summary.metric = metric.id
    WHERE metric.scope = 'execution' AND metric.statistic = 'sum' AND metric.formula = '$$'
      AND summary.context = 0
);
COMMENT ON VIEW total IS 'The true total of each metric of a run: context 0 at scope execution. A metric without a row is 0 or was not collected: see collected.';

CREATE VIEW collected AS
SELECT DISTINCT run, name FROM metric;
COMMENT ON VIEW collected IS 'Names of the metrics that the profile lists, whether or not a value was recorded.';

CREATE VIEW cost AS
SELECT summary.run, summary.context, metric.name, metric.scope, summary.value
FROM summary
JOIN metric ON metric.run = summary.run AND metric.id = summary.metric
WHERE metric.statistic = 'sum' AND metric.formula = '$$';
COMMENT ON VIEW cost IS 'Cost per calling context, summed over profiles. Sum scope point only; execution is inclusive, lex_aware and function are exclusive.';

CREATE VIEW profile_total AS
SELECT value.run, value.profile, metric.name, value.value
FROM value
JOIN metric ON metric.run = value.run AND metric.id = value.metric
WHERE value.context = 0 AND metric.scope = 'execution';
COMMENT ON VIEW profile_total IS 'The total of each metric per profile: context 0 at scope execution.';

CREATE VIEW context_name AS
SELECT context.run, context.id AS context, context.parent, context.depth, context.entry_point,
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
LEFT JOIN function ON function.run = context.run AND function.id = context.function
LEFT JOIN file ON file.run = context.run AND file.id = context.file
LEFT JOIN module ON module.run = context.run AND module.id = context.module
LEFT JOIN module AS function_module ON function_module.run = context.run AND function_module.id = function.module;
COMMENT ON VIEW context_name IS 'Each calling context with a name that people can read, and its function, file, line and module.';

CREATE VIEW cpu_event AS
SELECT run, name, value, CASE name WHEN 'CPUTIME (sec)' THEN 'CPU-s' WHEN 'REALTIME (sec)' THEN 'thread-s' ELSE 'events' END AS unit
FROM total
WHERE name IN ('CPUTIME (sec)', 'REALTIME (sec)') OR name LIKE 'perf::%' OR name LIKE 'PAPI_%' OR lower(name) LIKE '%cycles%'
QUALIFY row_number() OVER (
    PARTITION BY run
    ORDER BY CASE WHEN name = 'CPUTIME (sec)' THEN 0 WHEN name = 'REALTIME (sec)' THEN 1
        WHEN lower(name) LIKE '%cycles%' THEN 2 ELSE 3 END, value DESC, name
) = 1;
COMMENT ON VIEW cpu_event IS 'The event by which CPU cost is ranked in a run: CPU time, else elapsed thread time, else cycles, else the largest event.';

CREATE VIEW invariant AS
SELECT run, name, point_sum, execution, profile_sum,
    CASE WHEN greatest(abs(point_sum), abs(execution), abs(profile_sum)) > 0 THEN
        greatest(abs(point_sum - execution), abs(point_sum - profile_sum), abs(execution - profile_sum))
        / greatest(abs(point_sum), abs(execution), abs(profile_sum))
    ELSE 0 END AS difference
FROM (
    SELECT listed.run, listed.name,
        CASE WHEN has_point THEN coalesce(point.value, 0) END AS point_sum,
        CASE WHEN has_execution THEN coalesce(total.value, 0) END AS execution,
        CASE WHEN has_profiles THEN coalesce(profiles.value, 0) END AS profile_sum
    FROM (
        SELECT run, name,
            bool_or(scope = 'point' AND statistic = 'sum' AND formula = '$$') AS has_point,
            bool_or(scope = 'execution' AND statistic = 'sum' AND formula = '$$') AS has_execution,
            bool_or(scope = 'execution' AND statistic IS NULL) AS has_profiles
        FROM metric GROUP BY run, name
    ) AS listed
    LEFT JOIN (
        SELECT run, name, fsum(value) AS value FROM cost WHERE scope = 'point' GROUP BY run, name
    ) AS point ON point.run = listed.run AND point.name = listed.name
    LEFT JOIN total ON total.run = listed.run AND total.name = listed.name
    LEFT JOIN (
        SELECT run, name, fsum(value) AS value FROM profile_total GROUP BY run, name
    ) AS profiles ON profiles.run = listed.run AND profiles.name = listed.name
    WHERE EXISTS (SELECT 1 FROM summary WHERE summary.run = listed.run)
);
COMMENT ON VIEW invariant IS 'Three ways to the same total per metric: sum of scope point over contexts, context 0 at execution, sum over profiles; NULL where the profile has no such scope. difference is relative.';

CREATE MACRO binomial_low(k, n) AS
    CASE WHEN n > 0 THEN (k / n + 1.9207 / n - 1.96 * sqrt(greatest(k / n * (1 - k / n), 0) / n + 0.9604 / (n * n))) / (1 + 3.8416 / n) END;
COMMENT ON MACRO binomial_low IS 'Lower bound of the 95 % Wilson interval of k successes in n samples [ratio]';

CREATE MACRO binomial_high(k, n) AS
    CASE WHEN n > 0 THEN (k / n + 1.9207 / n + 1.96 * sqrt(greatest(k / n * (1 - k / n), 0) / n + 0.9604 / (n * n))) / (1 + 3.8416 / n) END;
COMMENT ON MACRO binomial_high IS 'Upper bound of the 95 % Wilson interval of k successes in n samples [ratio]';
