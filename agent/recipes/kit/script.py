"""How the script of a recipe begins, and how it ends where it can't make what was asked for."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Unusable(Exception):
    """The request or an input can't become what was asked for.

    The message says why, in the language of the work.
    """


def run(make: Callable[[dict[str, Any]], None]) -> None:
    """Calls `make` with the parameters in the file that the command line names.

    Where it raises `Unusable` the script ends with status 2, the reason as its last line.
    """
    try:
        make(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
