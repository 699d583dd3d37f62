/*---
title: Imports of Python during start-up
better: lower
definition: >-
  Of the samples of launching threads up to the first GPU operation, and from there to the first iteration,
  the share in which Python imports a module, and the three packages with most of these: the innermost
  installed one on the calling path.
population: >-
  samples of launching threads before the first iteration, or before the first GPU operation where no
  iterations were found
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's traces; names of files
caveat: >-
  The profiler loses samples, in Python most of all, so that a share of samples is no exact share of time.
empty: no sample shows an import of Python, of an installed package, during start-up
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: samples, title: 'Samples', unit: count}
  - {name: importing, title: 'In imports, share', unit: ratio}
  - {name: packages, title: 'Packages', unit: text}
---*/
WITH bound AS (
    SELECT (SELECT start FROM gpu_span WHERE run = $run) AS first,
        coalesce((SELECT min(start) FROM iteration WHERE run = $run), (SELECT start FROM gpu_span WHERE run = $run)) AS last
),
taken AS MATERIALIZED (
    SELECT sample.start >= bound.first AS later, enclosing.frame, count(*) AS samples
    FROM cpu_samples($run) AS sample
    JOIN trace_line AS line ON line.run = $run AND line.profile = sample.profile AND line.launching
    CROSS JOIN bound
    JOIN enclosing_frames($run) AS enclosing ON enclosing.context = sample.context
    WHERE sample.start < bound.last
    GROUP BY ALL
),
placed AS (
    SELECT path.target, arg_min(regexp_extract(coalesce(file.path, frames.called_file), '/(site|dist)-packages/(torch/_\w+|[^/]+)', 2), path.step) AS package
    FROM path_frames($run, (SELECT list(DISTINCT frame) FROM taken)) AS path
    JOIN frames($run) AS frames ON frames.frame = path.frame
    LEFT JOIN "function" AS defined ON defined.run = $run AND defined.id = frames."function"
    LEFT JOIN file ON file.run = $run AND file.id = defined.file
    WHERE regexp_matches(coalesce(file.path, frames.called_file), '/(site|dist)-packages/')
    GROUP BY path.target
),
told AS (
    SELECT taken.later, taken.samples, coalesce(frame.phase = 'importing', false) AS importing, replace(placed.package, '/', '.') AS package
    FROM taken
    JOIN frame ON frame.run = $run AND frame.frame = taken.frame
    LEFT JOIN placed ON placed.target = taken.frame
),
most AS (
    SELECT later, package, sum(samples) AS samples
    FROM told
    WHERE importing AND package IS NOT NULL
    GROUP BY later, package
    QUALIFY row_number() OVER (PARTITION BY later ORDER BY sum(samples) DESC, package) <= 3
)
SELECT CASE WHEN part.later THEN 'from the first GPU operation to the first iteration' ELSE 'up to the first GPU operation' END AS part,
    part.samples, part.importing / part.samples AS importing, packages
FROM (
    SELECT later, sum(samples) AS samples, coalesce(sum(samples) FILTER (WHERE importing), 0) AS importing FROM told GROUP BY later
) AS part
JOIN (
    SELECT later, string_agg(package, ', ' ORDER BY samples DESC, package) AS packages FROM most GROUP BY later
) AS named ON named.later = part.later
ORDER BY part.later
