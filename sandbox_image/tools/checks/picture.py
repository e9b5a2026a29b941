"""Pictures: whole, not blank, resolution, transparency, colour profile."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

from PIL import Image, ImageCms, UnidentifiedImageError

from checks.blank import check_blank
from checks.report import Report, Unreadable, run
from checks.tofu import check_boxes

MOST_PIXELS, MOST_READ = 400_000_000, 60_000_000


def check(path: Path, report: Report) -> None:
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(path)
            frames = getattr(image, "n_frames", 1)
            profile = image.info.get("icc_profile")
            dpi = image.info.get("dpi")
            image.load()
    except UnidentifiedImageError:
        found = run("file", "--brief", "--mime-type", str(path)).stdout.strip()
        if found.startswith("image/"):
            raise Unreadable("it is cut off or damaged at its beginning") from None
        raise Unreadable(
            f"it is {found}, called {path.suffix}",
            "wrong_name",
            format=found,
            suffix=path.suffix,
        ) from None
    except (OSError, SyntaxError, ValueError, Warning, Image.DecompressionBombError) as error:
        cut = any(word in str(error) for word in ("truncated", "broken", "unrecognized data"))
        raise Unreadable(str(error), "truncated" if cut else "unreadable") from None
    report.kind = "picture"
    report.width, report.height = image.size
    report.facts |= {
        "size": f"{image.width}x{image.height}",
        "format": image.format,
        "mode": image.mode,
    }
    if frames > 1:
        report.facts["frames"] = frames
    if dpi:
        report.facts["dpi"] = round(float(dpi[0]))
        centimetres = [side / float(dpi[0]) * 2.54 for side in image.size] if dpi[0] > 1 else []
        if centimetres:
            report.facts["print size"] = "{:.1f} x {:.1f} cm".format(*centimetres)
    if profile:
        report.facts["profile"] = profile_name(profile)
    elif image.mode == "CMYK":
        report.warn("no_profile", "CMYK without a colour profile: printers will guess its colours")
    expected = {".jpg": "JPEG", ".jpeg": "JPEG", ".tif": "TIFF"}.get(
        path.suffix.lower(), path.suffix[1:].upper()
    )
    if image.format not in (expected, "MPO") and expected != "APNG":
        report.warn(
            "wrong_name",
            f"it is a {image.format} file called {path.suffix}",
            format=str(image.format),
            suffix=path.suffix,
        )
    check_blank(image, report)
    if image.width * image.height <= MOST_READ:
        check_boxes(image, report)


def profile_name(profile: bytes) -> str:

    try:
        return ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(profile))).strip()
    except ImageCms.PyCMSError:
        return "damaged"
