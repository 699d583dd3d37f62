/*---
title: Recorded metrics
better: neither
definition: >-
  Every metric of the tool that has a value, with its unit, its total over the run and the
  number of stored values.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [values]
source: the profile's own tables
caveat: >-
  GSAMP:PER is a setting: its row shows the period, not a sum. Sums over launches end in ACUMU.
empty: no metric has a value
columns:
  - {name: name, title: 'Metric', unit: text}
  - {name: unit, title: 'Unit', unit: text}
  - {name: total, title: 'Total', unit: "1"}
  - {name: values, title: 'Values', unit: count}
---*/
SELECT stored.name,
    CASE
        WHEN regexp_matches(stored.name, '\(\w+\)$') THEN regexp_extract(stored.name, '\((\w+)\)$', 1)
        WHEN starts_with(total.name, 'samples_') THEN 'samples'
        WHEN is_clock(total.name) THEN 'ns'
        WHEN is_pc_sample(total.name) THEN 'samples × period'
        ELSE 'events'
    END AS unit,
    CASE WHEN total.name = 'sample_period' THEN sample_period() ELSE total.value END AS total,
    stored."values"
FROM total
JOIN (
    SELECT metric.measure, any_value(metric.name) AS name, count(value.metric) AS "values"
    FROM metric
    LEFT JOIN value ON value.metric = metric.id
    GROUP BY metric.measure
) AS stored ON stored.measure = total.name
ORDER BY stored.name
