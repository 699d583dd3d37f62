/*---
about: >-
  Ranges whose names tell that they load input or write a checkpoint (kind, in operator_pattern), the outermost of a name, by name: calls,
  their mean and longest duration [s], their part of the traced time, and how often one could run if nothing else did [Hz].
---*/
-- A program calls few names, each many times: patterns are tried once for each.
WITH named AS (
    SELECT DISTINCT own.name, known.kind, left(regexp_replace(own.name, '#.*$|[0-9]+', '', 'g'), 60) AS short
    FROM (SELECT DISTINCT name FROM host_range) AS own
    JOIN operator_pattern AS known ON known.kind IN ('loading', 'checkpoint') AND regexp_matches(own.name, known.pattern)
),
told AS (
    SELECT own.id, own.duration, own.parent, named.kind, named.short AS name FROM host_range AS own JOIN named ON named.name = own.name
)
SELECT kind, name AS "range", count(*) AS calls, avg(duration) / 1e9 AS mean, max(duration) / 1e9 AS longest,
    sum(duration) / any_value(span.stop - span.start) AS share, 1e9 / nullif(avg(duration), 0) AS rate
FROM told JOIN traced_span AS span ON span.stop > span.start
WHERE NOT EXISTS (FROM told AS around WHERE around.kind = told.kind AND around.id = told.parent) GROUP BY kind, name
