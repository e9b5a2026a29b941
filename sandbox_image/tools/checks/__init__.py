"""What is measured, one module for each medium.

Each module has `SUFFIXES` (which files it takes) and `check(path, report)`, which adds facts and
findings to the report and raises Unreadable when the file is not what its name says.
"""

from checks.report import Unreadable

__all__ = ["Unreadable"]
