"""Pictures put where the host fetches them for a model that sees."""

from __future__ import annotations

import hashlib
import io
import re
from contextlib import suppress
from pathlib import Path

from PIL import Image

from sight import SIDE

FOLDER = Path("/workspace/.seen")
MOST_FILES, MOST_BYTES = 8, 500_000
FEW_COLOURS = 20_000
SMALL = 200


def scaled(image: Image.Image) -> Image.Image:
    """A copy that a model can take; a tiny picture becomes large enough to see its pixels."""
    image = image.copy()
    if max(image.size) < SMALL:
        factor = SMALL // max(image.size)
        return image.resize([side * factor for side in image.size], Image.Resampling.NEAREST)
    image.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    return image


def encoded(image: Image.Image) -> tuple[bytes, str]:
    """The picture in at most `MOST_BYTES`: exactly where that is small, otherwise as JPEG."""
    if image.getcolors(FEW_COLOURS):
        data = written(image, "PNG", optimize=True)
        if len(data) <= MOST_BYTES:
            return data, "png"
    for quality in (90, 75, 55, 30):
        data = written(image, "JPEG", quality=quality)
        if len(data) <= MOST_BYTES:
            break
    return data, "jpg"


def written(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def keep(image: Image.Image, name: str) -> str:
    """Keep the picture for the host; the line that tells it so, or why there is no picture."""
    data, suffix = encoded(scaled(image))
    mark = hashlib.sha256(data).hexdigest()[:8]
    path = FOLDER / f"{re.sub(r'[^A-Za-z0-9_-]+', '-', Path(name).stem)[:40]}-{mark}.{suffix}"
    try:
        FOLDER.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(data)
    except OSError as error:
        return f"(there is no room for the picture: {error.strerror})"
    older = sorted(FOLDER.iterdir(), key=lambda file: file.lstat().st_mtime)[:-MOST_FILES]
    for file in older:
        with suppress(OSError):
            file.unlink()
    return f"[picture: {path}]"
