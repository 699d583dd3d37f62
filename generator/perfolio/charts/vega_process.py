"""The process beside: `perfolio.charts.vega` runs this file and speaks to it through pipes.

In:  a line of JSON per request: the name of a function of vl_convert, and its arguments.
Out: a line of JSON per answer: the text that the function gave.

It writes no file, and it ends when its input does: with the process that started it, however
that ends. A request that fails ends it, too.
"""

from __future__ import annotations

import json
import sys

_SMALL = '{"data": {"values": [{"a": 1}]}, "mark": "bar", "encoding": {"x": {"field": "a"}}}'


def main() -> None:
    """Answer requests until there are no more."""
    sys.path.append(sys.argv[1])  # where the one who asks has found vl_convert
    import vl_convert

    vl_convert.vegalite_to_svg(_SMALL, allowed_base_urls=[])  # starts V8 before the first request
    for line in sys.stdin.buffer:
        name, arguments = json.loads(line)
        answer = getattr(vl_convert, name)(**arguments)
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
