"""What was found in a file, in the reader's language.

The sandbox speaks English and codes; who has no words for a code shows the English text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_noop

FINDINGS: Mapping[str, str] = {
    # Any file
    "missing": gettext_noop("There is no such file."),
    "empty_file": gettext_noop("The file is empty."),
    "unreadable": gettext_noop("It can’t be read: %(reason)s"),
    "too_slow": gettext_noop("It could not be measured: that took too long."),
    "too_large": gettext_noop("It is too large to be looked through."),
    "truncated": gettext_noop("It is cut off or damaged: not all of it is there."),
    "not_parsed": gettext_noop("It can’t be read: %(reason)s"),
    "wrong_name": gettext_noop("It is a %(format)s file with the ending %(suffix)s."),
    "unchecked": gettext_noop("It could not be checked in time, or only with too much memory."),
    # Pictures
    "blank": gettext_noop("There is nothing to see: one flat colour."),
    "transparent": gettext_noop("There is nothing to see: every pixel is transparent."),
    "no_profile": gettext_noop("CMYK without a colour profile: printers will guess its colours."),
    "wrong_seconds": gettext_noop("It lasts %(found)s s; %(asked)s s were asked for."),
    "wrong_size": gettext_noop("It has %(found)s pixels; %(asked)s were asked for."),
    "wrong_paper": gettext_noop("Its paper is %(found)s; %(asked)s was asked for."),
    "no_bleed": gettext_noop("It has no bleed: the paper ends where the picture does."),
    "clipped": gettext_noop("It is clipped: samples in a row stand at full scale."),
    "no_sign": gettext_noop("%(number)s characters are in no font here: %(signs)s."),
    "tofu": gettext_noop("Some characters are shown as empty boxes."),
    "no_view_box": gettext_noop("It has no viewBox, so it can’t be scaled."),
    "overlap": gettext_noop("Texts overlap: “%(first)s” and “%(second)s”."),
    "text_outside": gettext_noop("A text leaves the picture: “%(text)s”."),
    "text_cut": gettext_noop("A text is cut off by its box: “%(text)s”."),
    "more_places": gettext_noop("And %(number)s more places like these."),
    # Pages
    "console_error": gettext_noop("Error in the console: %(text)s"),
    "uncaught": gettext_noop("A script failed: %(text)s"),
    "failed_request": gettext_noop("It could not load something: %(text)s"),
    "outside_request": gettext_noop("It needs the internet to load %(url)s."),
    "missing_link": gettext_noop("It links to “%(target)s”, which others will not have."),
    "missing_file": gettext_noop("It shows “%(target)s”, which is not there."),
    "axe": gettext_noop("%(rule)s (%(number)s times, such as %(example)s)"),
    "no_language": gettext_noop("It does not say which language it is in."),
    "wide_on_phone": gettext_noop(
        "On a phone (%(phone)s px) it is %(pixels)s px wider than the screen."
    ),
    # Sound and video
    "no_sound": gettext_noop("There is no sound in it."),
    "no_picture": gettext_noop("There is no picture in it."),
    "no_length": gettext_noop("There is nothing to hear: it has no length."),
    "silent": gettext_noop("There is nothing but silence."),
    "silence": gettext_noop("Silence from %(from)s to %(to)s s."),
    "quiet": gettext_noop("It is very quiet (%(loudness)s LUFS)."),
    "over_peak": gettext_noop("It is too loud and distorts (true peak %(peak)s dBTP)."),
    "loop_seam": gettext_noop("The loop clicks where its end meets its start."),
    "black": gettext_noop("There is nothing but black."),
    "black_part": gettext_noop("The picture is black from %(from)s to %(to)s s."),
    "frozen": gettext_noop("The picture stands still from %(from)s to %(to)s s."),
    "pixel_format": gettext_noop(
        "Its pixel format %(format)s does not play in browsers and on phones."
    ),
    "late_index": gettext_noop("It starts late, because its index is at the end."),
    "sound_length": gettext_noop("The sound lasts %(sound)s s, the picture %(video)s s."),
    # Music
    "no_notes": gettext_noop("There is not one note in it."),
    "hanging_notes": gettext_noop("%(number)s notes never end."),
    "doubled_notes": gettext_noop("%(number)s notes start while the same note still sounds."),
    # Documents and data
    "not_embedded": gettext_noop("The font %(font)s is not embedded: others will see another one."),
    "empty_page": gettext_noop("Page %(page)s is empty."),
    "off_paper": gettext_noop("On page %(page)s a text leaves the paper: “%(text)s”."),
    "lost_characters": gettext_noop("%(number)s characters were lost to a wrong encoding."),
    "no_text": gettext_noop("There is nothing but blank space."),
    "ragged": gettext_noop(
        "%(number)s rows have another number of columns, the first is row %(row)s."
    ),
    "only_heading": gettext_noop("There is a heading and no rows."),
    "cell_errors": gettext_noop("%(number)s cells show an error such as %(error)s."),
    "no_faces": gettext_noop("There is not one face in the model."),
    # The inspection itself
    "inspection_too_slow": gettext_noop("Looking into it took too long."),
    "inspection_out_of_memory": gettext_noop("Looking into it took too much memory."),
    "inspection_too_large": gettext_noop("It is too large to be looked into."),
    "inspection_broken": gettext_noop("It could not be looked into."),
}
# What keeps people out of a page, by axe-core's names.
RULES: Mapping[str, str] = {
    "area-alt": gettext_noop("Parts of an image map say nothing to those who can’t see"),
    "aria-command-name": gettext_noop("Buttons, links or menu items have no name"),
    "aria-hidden-body": gettext_noop("The whole page is hidden from screen readers"),
    "aria-hidden-focus": gettext_noop("What is hidden from screen readers can get the focus"),
    "aria-input-field-name": gettext_noop("Input fields have no name"),
    "aria-required-attr": gettext_noop("ARIA roles lack an attribute that they need"),
    "aria-required-children": gettext_noop("ARIA roles lack the parts that they need"),
    "aria-required-parent": gettext_noop("ARIA roles are outside of what they belong to"),
    "aria-roles": gettext_noop("There is no such ARIA role"),
    "aria-toggle-field-name": gettext_noop("Switches have no name"),
    "aria-valid-attr": gettext_noop("There is no such ARIA attribute"),
    "aria-valid-attr-value": gettext_noop("ARIA attributes have values that mean nothing"),
    "button-name": gettext_noop("Buttons have no name"),
    "color-contrast": gettext_noop("Text is too faint against its background"),
    "document-title": gettext_noop("The page has no title"),
    "frame-title": gettext_noop("Frames have no title"),
    "html-lang-valid": gettext_noop("The page’s language is none that there is"),
    "image-alt": gettext_noop("Pictures say nothing to those who can’t see (no alt text)"),
    "input-button-name": gettext_noop("Buttons of a form have no name"),
    "input-image-alt": gettext_noop("Buttons with a picture have no alt text"),
    "label": gettext_noop("Form fields have no label"),
    "link-name": gettext_noop("Links have no text"),
    "list": gettext_noop("Lists hold what is no list item"),
    "listitem": gettext_noop("List items are outside of a list"),
    "meta-refresh": gettext_noop("The page loads itself again without being asked"),
    "nested-interactive": gettext_noop("Controls are inside of other controls"),
    "object-alt": gettext_noop("Embedded objects have no alt text"),
    "role-img-alt": gettext_noop("Drawings have no alt text"),
    "select-name": gettext_noop("Selection lists have no label"),
    "summary-name": gettext_noop("What can be unfolded has no name"),
    "svg-img-alt": gettext_noop("SVG pictures have no alt text"),
}
FACTS: Mapping[str, str] = {
    "seconds": gettext_noop("Length"),
    "size": gettext_noop("Size"),
    "format": gettext_noop("Format"),
    "mode": gettext_noop("Colours"),
    "frames": gettext_noop("Frames"),
    "dpi": gettext_noop("Dots per inch"),
    "print size": gettext_noop("Printed size"),
    "profile": gettext_noop("Colour profile"),
    "width": gettext_noop("Width"),
    "height": gettext_noop("Height"),
    "viewBox": gettext_noop("Drawing area"),
    "texts": gettext_noop("Texts"),
    "fps": gettext_noop("Frames per second"),
    "codec": gettext_noop("Codec"),
    "pix_fmt": gettext_noop("Pixel format"),
    "faststart": gettext_noop("Starts at once"),
    "sound": gettext_noop("Sound"),
    "loudness": gettext_noop("Loudness"),
    "range": gettext_noop("Loudness range"),
    "true peak": gettext_noop("True peak"),
    "rate": gettext_noop("Sample rate"),
    "channels": gettext_noop("Channels"),
    "loop seam": gettext_noop("Loop seam"),
    "tracks": gettext_noop("Tracks"),
    "notes": gettext_noop("Notes"),
    "tempo": gettext_noop("Tempo"),
    "programs": gettext_noop("Instruments"),
    "pages": gettext_noop("Number of pages"),
    "paper": gettext_noop("Paper"),
    "bleed": gettext_noop("Bleed"),
    "fonts": gettext_noop("Fonts"),
    "title": gettext_noop("Title"),
    "lines": gettext_noop("Lines"),
    "characters": gettext_noop("Characters"),
    "features": gettext_noop("Map features"),
    "entries": gettext_noop("Entries"),
    "rows": gettext_noop("Rows"),
    "columns": gettext_noop("Columns"),
    "delimiter": gettext_noop("Separator"),
    "members": gettext_noop("Files inside"),
    "sheets": gettext_noop("Sheets"),
    "slides": gettext_noop("Slides"),
    "root": gettext_noop("Outermost element"),
    "points": gettext_noop("Points"),
    "faces": gettext_noop("Faces"),
}
UNITS: Mapping[str, str] = {"seconds": gettext_noop("%(number)s s")}


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding for people; `level` is `fail`, `warn`, or `unknown` where nobody could look."""

    level: str
    text: str


def remarks(findings: Sequence[Mapping[str, Any]]) -> list[Remark]:
    """The findings, what is broken first."""
    told = [Remark(finding["level"], remark(finding)) for finding in findings]
    return sorted(told, key=lambda item: item.level != "fail")


def remark(finding: Mapping[str, Any]) -> str:
    """One finding in words."""
    text, code, values = str(finding["text"]), finding["code"], finding["values"]
    try:
        if code == "axe":
            rule = RULES[values["rule"]]
            values = {**values, "rule": gettext(rule)}
        return gettext(FINDINGS[code]) % values
    except (KeyError, TypeError, ValueError):
        return text[:1].upper() + text[1:]


def facts(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names and values as people read them."""
    return [
        (gettext(FACTS[name]) if name in FACTS else name.capitalize(), fact(name, value))
        for name, value in found.items()
        if value not in (None, "", [])
    ]


def fact(name: str, value: Any) -> str:
    match value:
        case bool():
            return gettext("yes") if value else gettext("no")
        case list():
            return ", ".join(fact("", item) for item in value)
        case float() | int():
            number = f"{value:,.10g}" if isinstance(value, int) else f"{round(value, 2):g}"
            return gettext(UNITS[name]) % {"number": number} if name in UNITS else number
    return str(value)
