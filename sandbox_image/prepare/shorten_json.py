"""Writes a JSON file again in its shortest form: no blanks, letters instead of escapes."""

import json
import sys
from pathlib import Path

for name in sys.argv[1:]:
    value = json.loads(Path(name).read_text("utf-8"))
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    Path(name).write_text(text, "utf-8")
