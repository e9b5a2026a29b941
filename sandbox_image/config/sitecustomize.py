"""Gives matplotlib its font list, which it reads from a folder that it can write to and no other.

Without it the first plot of every sandbox searches all fonts, which takes many seconds.
"""

# pathlib would cost every interpreter 5 ms.
# ruff: noqa: PTH104, PTH110, PTH112
import os

_READY, _WANTED = "/usr/share/matplotlib-cache", os.environ.get("MPLCONFIGDIR", "")

if _WANTED.startswith("/tmp/") and os.path.isdir(_READY) and not os.path.exists(_WANTED):
    import shutil

    _partial = f"{_WANTED}.{os.getpid()}"
    try:
        shutil.copytree(_READY, _partial)
        os.rename(_partial, _WANTED)
    except OSError:
        # No room, or another interpreter was first: matplotlib can still make its own list.
        shutil.rmtree(_partial, ignore_errors=True)
