/*---
title: Load modules
unit: count
better: neither
definition: Executables, libraries and GPU binaries that the profile names.
population: rows of table module
needs: []
source: the profile's own tables
---*/
SELECT count(*) AS value FROM module
