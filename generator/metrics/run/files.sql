/*---
title: Source files
unit: count
better: neither
definition: Source files that the profile names.
population: rows of table file
needs: []
source: the profile's own tables
---*/
SELECT count(*) AS value FROM file WHERE run = $run
