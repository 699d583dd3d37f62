/*---
about: >-
  The distance of samples of threads that launch GPU operations; NULL where none is [ns].
value: true
---*/
SELECT max(CASE clock WHEN 'running' THEN longest ELSE longest // 10 END) FROM trace_line WHERE launching
