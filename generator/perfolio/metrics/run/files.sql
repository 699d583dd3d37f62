/*---
title: Source files
unit: count
better: neither
definition: Source files that the profile names.
population: rows of table file, without modules and others that are no file ([libm.so], <string>)
needs: []
source: the profile's own tables
---*/
SELECT count(*) AS value FROM file WHERE source_path(path) IS NOT NULL
