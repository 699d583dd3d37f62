/*---
about: >-
  Lines that allocate, as pages name them: function, file without its folders, and line.
when: allocation_site
---*/
SELECT witness, site, "function" || if(file = '', '', ' (' || regexp_extract(file, '[^/\\]*$') || if(line > 0, ':' || line, '') || ')') AS name
FROM allocation_site
