"""`python -m perfolio` is `perfolio`: the command as a process, which needs no pandas.

PyArrow asks of each list whether it is one of pandas, and for that imports it wherever it is
installed, which takes longer than reading a small profile.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

from perfolio.cli.main import main
from perfolio.common.processes import search_garbage_rarely


class _WithoutPandas(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        """Refuse that one module, and leave all others to other finders."""
        del path, target
        if fullname == "pandas":
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def perfolio() -> None:
    """Run the command."""
    search_garbage_rarely()
    sys.meta_path.insert(0, _WithoutPandas())
    main()


if __name__ == "__main__":
    perfolio()
