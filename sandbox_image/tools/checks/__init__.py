"""What is measured, one module for each medium.

Each module has `check(path, report)`, which adds facts and findings to the report and raises
Unreadable when the file is not what its name says. They are imported when they are needed.
"""

from checks.report import Unreadable

SUFFIXES = {
    "video": ".mp4 .m4v .mov .webm .mkv .avi",
    "sound": ".wav .mp3 .m4a .aac .flac .ogg .oga .opus .aiff .aif",
    "picture": ".png .jpg .jpeg .webp .gif .tif .tiff .bmp .ico .apng",
    "svg": ".svg",
    "pdf": ".pdf",
    "page": ".html .htm .xhtml",
    "midi": ".mid .midi",
    "solid": ".glb .gltf .obj .stl",
    "archive": ".zip .docx .xlsx .pptx .epub .odt .ods .odp .jar",
    "markup": ".md .markdown .xml .kml .gpx .rss .atom .musicxml",
}
MEDIA = {suffix: medium for medium, suffixes in SUFFIXES.items() for suffix in suffixes.split()}

__all__ = ["MEDIA", "Unreadable"]
