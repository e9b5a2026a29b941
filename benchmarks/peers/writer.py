"""A program that closes files, for a container with Python, and what it prints of that."""

from __future__ import annotations

FILES = 12
# Pauses that are no multiple of the polls' meet them at any moment.
WRITER = f"""
import os, sys, time
os.makedirs(sys.argv[1], exist_ok=True)
told = []
for n in range({FILES}):
    time.sleep(0.63)
    with open(f"{{sys.argv[1]}}/{{n}}.dat", "w") as file:
        file.write("words " * 1000)
    told.append((f"{{n}}.dat", time.time()))
time.sleep(1)
for name, at in told:
    print(name, at)
"""


def closed(printed: str) -> dict[str, float]:
    """When each file was closed, as the writer prints it."""
    return {name: float(at) for name, at in map(str.split, printed.splitlines())}
