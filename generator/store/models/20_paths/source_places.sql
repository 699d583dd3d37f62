/*---
about: >-
  Where in the sources given contexts are: the rows of table source_place.
given: [targets]
---*/
SELECT context, file, line, module FROM source_place WHERE context IN (SELECT unnest(targets))
