/*---
title: Stalls by source line
better: lower
definition: >-
  Lines of kernels' sources by the stalled PC samples on them: the function that the line is in,
  which may be inlined, with the types of its arguments where these are short, the line of the kernel that this is
  called from, the innermost loop, the
  share of the line's samples that are stalls, their main reason, and how many of them wait for global memory.
  Shares of samples and of stalls have 95 % Wilson intervals.
population: >-
  calling contexts below kernels, scope execution less that of the contexts that they hold; samples
  without a known line are left out, shares are of all PC samples and stalls of the run. The
  first 50
needs: [pc_samples, stalled_samples, samples_taken, kernel_lines]
source: measures stalled_samples:*, by the lines and inlined functions that it finds in GPU code
caveat: >-
  A line is that of the instruction that could not issue: it waits for the result of an earlier
  one, which may be on another line. For the intervals, samples of one moment count as one, as for the stall reasons.
empty: no PC sample lies on a known source line
columns:
  - {name: code, title: 'Code', unit: text}
  - {name: kernel_line, title: 'Called in the kernel at', unit: text}
  - {name: loop, title: 'Loop at', unit: text}
  - {name: of_kernel, title: 'Kernel', unit: text}
  - {name: samples, title: 'Samples', unit: samples}
  - {name: of_samples, title: 'Share of samples', unit: ratio}
  - {name: of_samples_low, title: 'Share of samples, low', unit: ratio}
  - {name: of_samples_high, title: 'Share of samples, high', unit: ratio}
  - {name: stalled, title: 'Stalled samples', unit: ratio}
  - {name: stalled_low, title: 'Stalled samples, low', unit: ratio}
  - {name: stalled_high, title: 'Stalled samples, high', unit: ratio}
  - {name: of_stalls, title: 'Share of stalls', unit: ratio}
  - {name: of_stalls_low, title: 'Share of stalls, low', unit: ratio}
  - {name: of_stalls_high, title: 'Share of stalls, high', unit: ratio}
  - {name: dominant, title: 'Main reason', unit: text}
  - {name: dominant_share, title: 'Its share of the line''s stalls', unit: ratio}
  - {name: memory, title: 'Global memory, share of the line''s stalls', unit: ratio}
  - {name: gmem, title: 'Share of global-memory stalls', unit: ratio}
  - {name: cmem, title: 'Share of constant-memory stalls', unit: ratio}
  - {name: idep, title: 'Share of dependency stalls', unit: ratio}
  - {name: ifet, title: 'Share of instruction-fetch stalls', unit: ratio}
  - {name: sync, title: 'Share of synchronisation stalls', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
---*/
WITH RECURSIVE named AS MATERIALIZED (
    SELECT context, parent, lexical_type, function_name, name, source_path(file_path) AS file, nullif(line, 0) AS line
    FROM context_name
),
place AS (
    SELECT kernel.context, kernel.name AS kernel, kernel.name AS "function", true AS outermost,
        CAST(NULL AS VARCHAR) AS file, CAST(NULL AS BIGINT) AS line, CAST(NULL AS VARCHAR) AS kernel_line, CAST(NULL AS VARCHAR) AS loop
    FROM named AS placeholder JOIN named AS kernel ON kernel.parent = placeholder.context
    WHERE placeholder.function_name = '<gpu kernel>' AND kernel.lexical_type = 'function'
    UNION ALL
    SELECT named.context, place.kernel,
        CASE named.lexical_type WHEN 'function' THEN named.name ELSE place."function" END,
        place.outermost AND named.lexical_type <> 'function',
        CASE named.lexical_type WHEN 'line' THEN named.file WHEN 'instruction' THEN place.file END,
        CASE named.lexical_type WHEN 'line' THEN named.line WHEN 'instruction' THEN place.line END,
        CASE WHEN place.outermost AND named.lexical_type = 'line' THEN named.file || ':' || named.line ELSE place.kernel_line END,
        CASE named.lexical_type WHEN 'loop' THEN coalesce(named.file || ':' || named.line, place.loop) ELSE place.loop END
    FROM place JOIN named ON named.parent = place.context
),
sampled AS MATERIALIZED (
    SELECT cost.context, CASE cost.name
            WHEN 'pc_samples' THEN ''
            WHEN 'stalled_samples' THEN 'ANY'
            ELSE regexp_extract(cost.name, ':(\w+)$', 1)
        END AS reason, cost.value
    FROM cost JOIN place ON place.context = cost.context
    WHERE cost.scope = 'execution' AND regexp_matches(cost.name, '^(pc|stalled)_samples')
),
own AS (
    SELECT context, reason, sum(value) AS value
    FROM (
        FROM sampled
        UNION ALL
        SELECT named.parent AS context, sampled.reason, -sampled.value
        FROM sampled JOIN named ON named.context = sampled.context
    )
    GROUP BY context, reason
),
counted AS (
    SELECT place.kernel, place."function", place.file, place.line, place.outermost,
        CASE WHEN NOT place.outermost THEN place.kernel_line END AS kernel_line, place.loop,
        own.reason, sum(own.value) AS value
    FROM own JOIN place ON place.context = own.context
    WHERE place.file IS NOT NULL AND place.line IS NOT NULL
    GROUP BY ALL
    HAVING sum(own.value) > 0
),
summed AS (
    SELECT kernel, "function", file, line, outermost, kernel_line, loop,
        sum(value) FILTER (WHERE reason = '') AS samples,
        coalesce(sum(value) FILTER (WHERE reason = 'ANY'), 0) AS stalls,
        arg_max(stall_reason.words, (value, stall_reason.code)) FILTER (WHERE stall_reason.code IS NOT NULL) AS dominant,
        max(value) FILTER (WHERE stall_reason.code IS NOT NULL) AS dominant_samples,
        coalesce(sum(value) FILTER (WHERE reason = 'GMEM'), 0) AS gmem,
        coalesce(sum(value) FILTER (WHERE reason = 'CMEM'), 0) AS cmem,
        coalesce(sum(value) FILTER (WHERE reason = 'IDEP'), 0) AS idep,
        coalesce(sum(value) FILTER (WHERE reason = 'IFET'), 0) AS ifet,
        coalesce(sum(value) FILTER (WHERE reason = 'SYNC'), 0) AS sync
    FROM counted LEFT JOIN stall_reason ON stall_reason.code = counted.reason
    GROUP BY ALL
),
parts AS (
    SELECT *, short_name(kernel) AS kernel_brief, kernel_detail(kernel) AS kernel_part,
        short_name(plain) AS function_brief, kernel_detail(plain) AS function_part,
        -- Types of arguments, which show whether a value is volatile, or of double precision.
        regexp_extract("function", '\([\w:<>*&, ]+\)$', 0) AS arguments
    FROM (SELECT *, regexp_replace("function", '\b_INTERNAL_\w+::', '') AS plain FROM summed)
),
by_line AS (
    SELECT *, kernel_short(kernel_brief, kernel_part) AS short_kernel, kernel_short(function_brief, function_part) AS short_function
    FROM parts
),
short_names AS (SELECT DISTINCT kernel, short FROM kernel_context),
whole AS (
    SELECT total_of('pc_samples') AS samples, total_of('stalled_samples') AS stalls, sample_period() * samples_at_once() AS per_one
)
SELECT CASE WHEN by_line.outermost THEN coalesce(short_names.short, by_line.short_kernel)
        ELSE by_line.short_function || if(length(by_line.short_function) + length(by_line.arguments) <= 60, by_line.arguments, '')
    END AS code,
    by_line.kernel_line, by_line.loop,
    coalesce(short_names.short, by_line.short_kernel) AS of_kernel,
    by_line.samples / sample_period() AS samples,
    by_line.samples / nullif(whole.samples, 0) AS of_samples,
    binomial_low(by_line.samples / whole.per_one, whole.samples / whole.per_one) AS of_samples_low,
    binomial_high(by_line.samples / whole.per_one, whole.samples / whole.per_one) AS of_samples_high,
    by_line.stalls / by_line.samples AS stalled,
    binomial_low(by_line.stalls / whole.per_one, by_line.samples / whole.per_one) AS stalled_low,
    binomial_high(by_line.stalls / whole.per_one, by_line.samples / whole.per_one) AS stalled_high,
    by_line.stalls / nullif(whole.stalls, 0) AS of_stalls,
    binomial_low(by_line.stalls / whole.per_one, whole.stalls / whole.per_one) AS of_stalls_low,
    binomial_high(by_line.stalls / whole.per_one, whole.stalls / whole.per_one) AS of_stalls_high,
    by_line.dominant, by_line.dominant_samples / nullif(by_line.stalls, 0) AS dominant_share,
    by_line.gmem / nullif(by_line.stalls, 0) AS memory,
    by_line.gmem / nullif(total_of('stalled_samples:GMEM'), 0) AS gmem,
    by_line.cmem / nullif(total_of('stalled_samples:CMEM'), 0) AS cmem,
    by_line.idep / nullif(total_of('stalled_samples:IDEP'), 0) AS idep,
    by_line.ifet / nullif(total_of('stalled_samples:IFET'), 0) AS ifet,
    by_line.sync / nullif(total_of('stalled_samples:SYNC'), 0) AS sync,
    by_line.file, by_line.line
FROM by_line CROSS JOIN whole LEFT JOIN short_names ON short_names.kernel = by_line.kernel
WHERE by_line.samples > 0
ORDER BY by_line.stalls DESC, by_line.samples DESC, by_line.file, by_line.line, by_line.kernel, by_line."function", by_line.kernel_line, by_line.loop
LIMIT 50
