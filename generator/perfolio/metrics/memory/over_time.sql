/*---
name: peak
title: Memory in use at most
better: lower
definition: >-
  The most memory that the framework's allocator had handed out, and that it had reserved, on each device and on the
  host; when that was, from the begin of the run; and the innermost operator or function that allocated then.
population: allocations of the framework's allocator; memory of other libraries is not in it
needs: [memory]
source: events of the allocator
caveat: Memory that was allocated before recording began counts where the tool gives totals, and not where it gives changes alone.
empty: no allocation was recorded
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: allocated, title: 'Allocated at most', unit: B}
  - {name: reserved, title: 'Reserved at most', unit: B}
  - {name: moment, title: 'When', unit: s}
  - {name: by, title: 'Allocated by', unit: text}
  - {name: allocations, title: 'Allocations', unit: count}
  - {name: bytes, title: 'Allocated in all', unit: B}
---*/
WITH most AS (
    SELECT rank, device, max(allocated) AS allocated, max(reserved) AS reserved, arg_max("time", allocated) AS "time",
        arg_max(profile, allocated) AS profile, count(*) FILTER (WHERE bytes > 0) AS allocations, sum(bytes) FILTER (WHERE bytes > 0) AS bytes
    FROM memory_use GROUP BY rank, device
)
SELECT coalesce('rank ' || most.rank || ' ', '') || coalesce('GPU ' || most.device, 'host') AS device,
    most.allocated, nullif(most.reserved, 0) AS reserved,
    (most."time" - span.start) / 1e9 AS moment,
    (
        SELECT context_name.name
        FROM host_stay AS stay JOIN context_name ON context_name.context = stay.context
        WHERE stay.profile = most.profile AND stay.start <= most."time" AND stay.start + stay.duration >= most."time"
        ORDER BY stay.start DESC LIMIT 1
    ) AS by,
    most.allocations, most.bytes
FROM most LEFT JOIN traced_span AS span ON true
ORDER BY most.rank, most.device NULLS LAST

/*---
name: over_time
title: Memory over time
better: lower
definition: >-
  The most memory that was allocated and reserved in each of 200 equal parts of the run, by device; and what it was for when most was allocated
  in that part, by the categories of memory.categories.
population: allocations of the framework's allocator
needs: [memory]
source: events of the allocator; for categories those with addresses, and phases by names of functions and operators
empty: no allocation was recorded
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: start, title: 'From', unit: s}
  - {name: stop, title: 'To', unit: s}
  - {name: allocated, title: 'Allocated', unit: B}
  - {name: reserved, title: 'Reserved', unit: B}
  - {name: before, title: 'Held before recording', unit: B}
  - {name: optimizer, title: 'States of the optimizer', unit: B}
  - {name: gradients, title: 'Gradients', unit: B}
  - {name: activations, title: 'Activations', unit: B}
  - {name: other, title: 'Other', unit: B}
---*/
WITH seen AS (
    SELECT used.rank, used.device,
        least(greatest(CAST((200::HUGEINT * (used."time" - span.start)) // (span.stop - span.start) AS INTEGER), 0), 199) AS bin,
        max(used.allocated) AS most, max(used.reserved) AS held, arg_max(used.allocated, used."time") AS last,
        arg_max(used."time", (used.allocated, -used."time")) AS moment
    FROM memory_use AS used CROSS JOIN traced_span AS span WHERE span.stop > span.start GROUP BY ALL
),
-- What is allocated stays so until the next event.
filled AS (
    SELECT device.rank, device.device, bins.bin, seen.most, seen.held, last_value(seen.last IGNORE NULLS) OVER earlier AS last,
        last_value(seen.held IGNORE NULLS) OVER earlier AS last_held,
        coalesce(seen.moment, span.start + CAST(bins.bin::HUGEINT * (span.stop - span.start) // 200 AS BIGINT)) AS moment
    FROM (SELECT DISTINCT rank, device FROM seen) AS device CROSS JOIN range(200) AS bins(bin) CROSS JOIN traced_span AS span
    LEFT JOIN seen ON seen.rank IS NOT DISTINCT FROM device.rank AND seen.device IS NOT DISTINCT FROM device.device AND seen.bin = bins.bin
    WINDOW earlier AS (PARTITION BY device.rank, device.device ORDER BY bins.bin ROWS UNBOUNDED PRECEDING)
),
change AS (
    SELECT rank, device, "time", coalesce(sum(bytes) FILTER (WHERE starts_with(category, 'states')), 0) AS optimizer,
        coalesce(sum(bytes) FILTER (WHERE category = 'gradients'), 0) AS gradients,
        coalesce(sum(bytes) FILTER (WHERE category = 'activations'), 0) AS activations,
        coalesce(sum(bytes) FILTER (WHERE category = 'other'), 0) AS other
    FROM (
        SELECT rank, device, begin_time AS "time", category, bytes FROM memory_life
        UNION ALL
        SELECT rank, device, end_time, category, -bytes FROM memory_life WHERE end_time IS NOT NULL
        UNION ALL
        SELECT DISTINCT rank, device, -1, 'other', 0 FROM memory_life
    )
    GROUP BY rank, device, "time"
),
course AS (
    SELECT rank, device, "time", sum(optimizer) OVER earlier AS optimizer, sum(gradients) OVER earlier AS gradients,
        sum(activations) OVER earlier AS activations, sum(other) OVER earlier AS other
    FROM change WINDOW earlier AS (PARTITION BY rank, device ORDER BY "time" ROWS UNBOUNDED PRECEDING)
)
SELECT coalesce('rank ' || filled.rank || ' ', '') || coalesce('GPU ' || filled.device, 'host') AS device,
    round(filled.bin * whole.length / 200, 12) AS start, round((filled.bin + 1) * whole.length / 200, 12) AS stop,
    coalesce(filled.most, filled.last) AS allocated, nullif(coalesce(filled.held, filled.last_held), 0) AS reserved,
    if(course.device IS NULL, NULL, greatest(
        coalesce(filled.most, filled.last) - course.optimizer - course.gradients - course.activations - course.other, 0
    )) AS before,
    course.optimizer, course.gradients, course.activations, course.other
FROM filled CROSS JOIN (SELECT (stop - start) / 1e9 AS length FROM traced_span) AS whole
ASOF LEFT JOIN course ON course.rank IS NOT DISTINCT FROM filled.rank AND course.device = filled.device AND course."time" <= filled.moment
WHERE filled.last IS NOT NULL ORDER BY device, filled.bin

/*---
name: by_phase
title: Memory by phase
better: lower
definition: >-
  The most memory that the framework's allocator had handed out while a thread was in a phase of the program, when that was, and what was
  allocated in it. The phase is that of the function or operator around an allocation, by its names.
population: allocations of the framework's allocator, by device and phase
needs: [memory]
source: events of the allocator; names of functions, in the store's table phase_pattern
caveat: Told just before and after something is allocated or released; a phase that does neither has no row. Where no name tells a phase, it is other.
empty: no allocation was recorded
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: phase, title: 'Phase', unit: text}
  - {name: allocated, title: 'Allocated at most', unit: B}
  - {name: of_peak, title: 'Of the peak', unit: ratio}
  - {name: moment, title: 'When', unit: s}
  - {name: bytes, title: 'Allocated in all', unit: B}
---*/
WITH told AS (
    SELECT rank, device, phase, "time", bytes, greatest(allocated, allocated - bytes) AS allocated FROM memory_change
)
SELECT coalesce('rank ' || told.rank || ' ', '') || coalesce('GPU ' || told.device, 'host') AS device, told.phase, max(told.allocated) AS allocated,
    max(told.allocated) / nullif(max(max(told.allocated)) OVER (PARTITION BY told.rank, told.device), 0) AS of_peak,
    (arg_max(told."time", (told.allocated, -told."time")) - any_value(span.start)) / 1e9 AS moment,
    coalesce(sum(told.bytes) FILTER (WHERE told.bytes > 0), 0) AS bytes
FROM told LEFT JOIN traced_span AS span ON true
GROUP BY told.rank, told.device, told.phase
ORDER BY told.rank, told.device NULLS LAST, allocated DESC, told.phase

/*---
name: categories
title: What memory held at its peak, by phases of the trace
better: neither
definition: >-
  Memory of the framework's allocator at the peak of each GPU, by category. Gradients are what backward asks for and something else releases;
  activations, with inputs, what something else asks for and is held when backward begins; states what an optimizer asks for and keeps. What was
  held before recording began, most of it parameters and states, is what the allocator had handed out above these.
population: allocations of the framework's allocator on GPUs
needs: [memory]
source: events of the allocator with their addresses; phases by names of functions and operators
caveat: Sizes are those that the allocator rounds up to. Where no name tells a phase, it is none of backward and none of the optimizer.
empty: no allocation on a device was recorded with its address
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: category, title: 'Category', unit: text}
  - {name: bytes, title: 'Held at the peak', unit: B}
  - {name: share, title: 'Share', unit: ratio}
  - {name: allocations, title: 'Allocations', unit: count}
---*/
WITH peak AS (
    SELECT rank, device, max(allocated) AS allocated, arg_max("time", (allocated, -"time")) AS "time"
    FROM memory_change WHERE device IS NOT NULL GROUP BY rank, device
),
held AS (
    SELECT peak.rank, peak.device, own.category, sum(own.bytes) AS bytes, count(*) AS allocations
    FROM memory_life AS own JOIN peak ON peak.rank IS NOT DISTINCT FROM own.rank AND peak.device = own.device
    WHERE own.begin_time <= peak."time" AND (own.end_time IS NULL OR own.end_time > peak."time")
    GROUP BY ALL
),
known AS (
    SELECT * FROM held
    UNION ALL
    SELECT peak.rank, peak.device, 'held before recording', peak.allocated - coalesce(sum(held.bytes), 0), NULL
    FROM peak LEFT JOIN held ON held.rank IS NOT DISTINCT FROM peak.rank AND held.device = peak.device
    GROUP BY peak.rank, peak.device, peak.allocated HAVING peak.allocated > coalesce(sum(held.bytes), 0)
)
SELECT coalesce('rank ' || rank || ' ', '') || 'GPU ' || device AS device, category, bytes,
    bytes / sum(bytes) OVER (PARTITION BY rank, known.device) AS share, allocations
FROM known WHERE EXISTS (FROM memory_life)
ORDER BY rank, known.device, bytes DESC, category
