"""Pictures in pixels; of moving ones the first frame that shows something."""

from __future__ import annotations

from collections.abc import Iterator

from checks.blank import nothing_to_see
from PIL import Image
from sight import MOST_PIXELS
from sight.still import DAMAGED, FORMATS, ORIENTATION, flat

from previews import Subject, Unreadable
from previews.poster import SIDE, poster

FRAMES = 6
WHITE = (255, 255, 255)


def show(subject: Subject) -> Iterator[dict]:
    Image.MAX_IMAGE_PIXELS = None
    try:
        image = Image.open(subject.path, formats=FORMATS)
        width, height = upright(image)
        yield {"width": width, "height": height}
        if width * height > MOST_PIXELS:
            raise Unreadable(f"{width}x{height} px are too many to draw here")
        yield poster(best_frame(image), subject.into)
    except DAMAGED as error:
        raise Unreadable(str(error) or "it is cut off") from None


def upright(image: Image.Image) -> tuple[int, int]:
    """Width and height as it is shown: cameras note which way up they were."""
    turned = image.getexif().get(ORIENTATION) in (5, 6, 7, 8)
    return (image.height, image.width) if turned else image.size


def best_frame(image: Image.Image) -> Image.Image:
    frames = getattr(image, "n_frames", 1)
    if frames == 1 or image.format in ("MPO", "TIFF"):
        return flat(image, [], SIDE * 2, WHITE)
    for number in range(0, frames, max(1, frames // FRAMES)):
        image.seek(number)
        frame = flat(image.copy(), [], SIDE * 2, WHITE)
        if not nothing_to_see(frame):
            break
    return frame
