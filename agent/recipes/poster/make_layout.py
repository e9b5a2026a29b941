"""Where a poster's words stand: sizes, lines and positions, before anything is painted.

Everything is measured in `u`, a hundredth of the sheet's shorter side, so that a postcard and an A0
sheet are the same design.
"""

import re
from dataclasses import dataclass

from kit.colour import lightness, mix, readable
from kit.lines import fit
from kit.type import face
from kit.upright import chinese_date, vertical
from make_details import block


@dataclass(frozen=True)
class Style:
    """What a scene asks of its type."""

    role: str = "sans"
    weight: int = 700
    align: str = "start"
    art_below: bool = False
    """The picture's free part lies under the details instead of between title and details."""
    dark_top: bool = True
    dark_low: bool = True
    strip: str = ""
    """The palette part that a band at the foot is filled with; "" for none."""
    spacing: float = 1.06
    columns: bool = False
    """A short Chinese title stands upright, in columns."""
    capitals: bool = False
    aside: bool = False
    """On a wide sheet the picture stands at the right of all type instead of behind it."""


class Plan:
    """The measured sheet; `art` is the box (left, top, right, bottom) free for the picture."""

    def __init__(self, content, style, palette, width, height, lang):
        self.content, self.style, self.palette, self.lang = content, style, palette, lang
        self.width, self.height = width, height
        self.u = min(width, height * 0.74) / 100
        self.margin = 7 * self.u
        self.wide = width > 1.15 * height
        self.beside = self.wide and style.aside
        self.inner = (0.62 * width if self.beside else width - self.margin) - self.margin
        self.centred = style.align == "middle"
        self.body = face("sans", lang, 400)
        self.bold = face("sans", lang, 700)
        self.name = face("serif", lang, 700) if style.role in ("serif", "kai") else self.bold
        self.full = bool(content.groups)
        self._foot()
        # The title gives way until the details can be read from where it can.
        for room in (1, 0.9, 0.8, 0.7, 0.6, 0.5):
            self._title(room)
            if self._details() >= (0.85 if self.full else 1):
                break
        self._art()

    # ------------------------------------------------------------------------------ measuring

    def _foot(self):
        """A line at the bottom: what to do, and where on the web."""
        u, content = self.u, self.content
        left = " · ".join(content.facts[:2]) if self.full else ""
        size = 2.9 * u
        both = self.bold.width(content.url, size) + self.body.width(left, size)
        self.foot_rows = [left, content.url] if left and content.url else [left or content.url]
        self.foot_rows = [row for row in self.foot_rows if row]
        self.foot_split = len(self.foot_rows) == 2 and both + 4 * u < self.inner
        lines = 1 if self.foot_split else len(self.foot_rows)
        widest = max((self.bold.width(row, size) for row in self.foot_rows), default=0)
        self.foot_size = size * min(1, self.inner / widest) if widest else size
        band = (3.6 * (lines - 1) + 10.5) * u
        self.foot_top = self.height - (band if lines else (0 if self.style.strip else 5 * u))

    def _title(self, share):
        u, style, content = self.u, self.style, self.content
        text = content.title.upper() if style.capitals and self.lang == "en" else content.title
        role = "serif" if style.role == "kai" and self.lang == "en" else style.role
        self.title_face = face(role, self.lang, 400 if style.role == "kai" else style.weight)
        bare = vertical(text)
        self.upright = (
            style.columns
            and self.lang == "zh"
            and len(bare) <= 16
            and not re.search(r"[A-Za-z]", text)
        )
        self.kicker_top = self.margin
        self.title_top = self.margin + (8.2 * u if self.full else 1.5 * u)
        if self.full and content.when and content.where and not self._kicker_fits():
            self.title_top += 4.2 * u
        if self.upright:
            # Two even columns for longer titles; each stands as tall as a third of the sheet.
            count = 1 if len(bare) <= 6 else 2 if len(bare) <= 12 else 3
            step = -(-len(bare) // count)
            self.columns = [bare[i : i + step] for i in range(0, len(bare), step)]
            room = share * (0.36 if self.full else 0.47) * self.height
            self.title_size = min(room / (step * 1.08), 0.62 * self.inner / (1.25 * count))
            self.title_top = self.margin + (9 if self.full else 10) * u
            self.title_end = self.title_top + self.title_size * 1.08 * step
            if content.tagline:
                self.tagline = fit(
                    content.tagline, face("kai", self.lang), self.inner, 12 * u, 4.2 * u
                )
                self.title_end += 4 * u + self.tagline.height
            return
        room = share * (0.26 if self.full else 0.34) * self.height
        self.title = fit(
            text, self.title_face, self.inner * (0.94 if self.centred else 1), room,
            (23 if self.full else 27) * u, spacing=style.spacing, most_lines=5,
        )  # fmt: skip
        baseline = self.title_top + self.title_face.cap(self.title.size)
        self.title_end = baseline + self.title.leading * (len(self.title.lines) - 1)
        if content.tagline:
            size = min(5.4 * u, 0.5 * self.title.size)
            self.tagline_face = face(
                "serif" if style.role in ("serif", "kai") else "sans", self.lang, 400
            )
            self.tagline = fit(
                content.tagline,
                self.tagline_face,
                self.inner,
                14 * u,
                size,
                spacing=1.25,
                most_lines=3,
            )
            self.title_end += 0.3 * self.title.size + 1.6 * u + self.tagline.height
        else:
            self.title_end += 0.22 * self.title.size

    def _kicker_fits(self):
        """Whether time and place share the line above the title, left and right."""
        if self.centred:
            return False
        size = 3.1 * self.u
        used = self.bold.width(self.content.when, size) + self.body.width(self.content.where, size)
        return used + 5 * self.u < self.inner

    def _details(self):
        """As large as leaves the picture its share; returns the scale, 1 as designed."""
        low = self.foot_top - (0.5 if self.style.strip or not self.foot_rows else 0) * self.u
        share = 0.04 if self.beside else 0.14 if self.upright else 0.24 if self.full else 0.3
        most = low - self.title_end - 10 * self.u - share * self.height
        for step in range(15):
            scale = 1.25 - 0.05 * step
            self.rows, high = block(self, self.inner, scale)
            if high <= most:
                break
        self.details_height = high
        gap = 5.5 * self.u
        if self.style.art_below:
            self.details_top = self.title_end + 10 * self.u
        else:
            self.details_top = low - gap * (1 if self.style.strip else 0.4) - high
        return scale

    def _art(self):
        u = self.u
        low = self.foot_top
        if self.beside:
            self.art = (self.inner + 2 * self.margin, 0, self.width, self.height)
        elif self.style.art_below:
            self.art = (0, self.details_top + self.details_height + 5 * u, self.width, low)
        else:
            self.art = (0, self.title_end + 4 * u, self.width, self.details_top - 6 * u)

    def occupied(self, x, y):
        """Whether a point is where type stands."""
        if x < self.margin - self.u or x > self.margin + self.inner + self.u:
            return False
        details = self.details_top - self.u <= y <= self.details_top + self.details_height + self.u
        return y < self.title_end or details or y > self.foot_top

    # -------------------------------------------------------------------------------- setting

    def inks(self, dark):
        """The type's colours upon a dark or light ground."""
        p = self.palette
        ground, ink = (p.deep, p.light) if dark else (p.light, p.deep)
        return {
            "ink": ink,
            "soft": readable(mix(ink, ground, 0.18), ground, 7),
            "strong": readable(p.accent if dark else p.primary, ground, 5),
        }

    def set(self, drawing):
        """Put all the type on the sheet."""
        u, content, style = self.u, self.content, self.style
        top, low = self.inks(style.dark_top), self.inks(style.dark_low)
        x = self.margin + self.inner / 2 if self.centred else self.margin
        if self.full:
            self._set_kicker(drawing, top, x)
        if self.upright:
            self._set_columns(drawing, top)
        else:
            base = drawing.setting(
                self.title, x, self.title_top, self.title_face, top["ink"], anchor=style.align
            )
            if content.tagline:
                tagline_top = base + 0.3 * self.title.size + 1.6 * u
                drawing.setting(
                    self.tagline,
                    x,
                    tagline_top,
                    self.tagline_face,
                    top["strong"],
                    anchor=style.align,
                )
        for row in self.rows:
            drawing.text(
                row.text,
                self.margin + row.x,
                self.details_top + row.y,
                row.face,
                row.size,
                low[row.tone],
                anchor=row.anchor,
                tracking=row.tracking,
            )
        self._set_foot(drawing, low)

    def _set_kicker(self, drawing, inks, x):
        u, content = self.u, self.content
        size = 3.1 * u
        y = self.kicker_top + self.bold.cap(size)
        when = chinese_date(content.when) if self.upright else content.when
        if not self._kicker_fits():
            for text, font in ((when, self.bold), (content.where, self.body)):
                if text:
                    fitted = min(size, self.inner / font.width(text, 1))
                    drawing.text(text, x, y, font, fitted, inks["ink"], anchor=self.style.align)
                    y += 4.2 * u
        else:
            drawing.text(when, self.margin, y, self.bold, size, inks["ink"])
            drawing.text(
                content.where,
                self.margin + self.inner,
                y,
                self.body,
                size,
                inks["ink"],
                anchor="end",
            )

    def _set_columns(self, drawing, inks):
        step = 1.28 * self.title_size
        x = self.width / 2 + step * (len(self.columns) - 1) / 2
        for column in self.columns:
            drawing.column(
                column, x, self.title_top, self.title_face, self.title_size, inks["strong"]
            )
            x -= step
        if self.content.tagline:
            drawing.setting(
                self.tagline,
                self.width / 2,
                self.title_end - self.tagline.height,
                face("kai", self.lang),
                inks["ink"],
                anchor="middle",
            )

    def _set_foot(self, drawing, low):
        if not self.foot_rows:
            return
        u, size, p = self.u, self.foot_size, self.palette
        ground = getattr(p, self.style.strip) if self.style.strip else ""
        ink = (
            readable(p.deep if lightness(ground) > 0.6 else p.light, ground, 5)
            if ground
            else low["ink"]
        )
        lines = 1 if self.foot_split else len(self.foot_rows)
        y = (self.foot_top + self.height) / 2 - 1.8 * u * (lines - 1) + self.bold.cap(size) / 2
        if not ground:
            y -= 1.6 * u
        if self.foot_split:
            drawing.text(self.foot_rows[0], self.margin, y, self.body, size, ink)
            drawing.text(
                self.foot_rows[1], self.margin + self.inner, y, self.bold, size, ink, anchor="end"
            )
            return
        for text in self.foot_rows:
            font = self.bold if text == self.content.url else self.body
            x = self.width / 2 if self.centred else self.margin
            drawing.text(text, x, y, font, size, ink, anchor=self.style.align)
            y += 3.6 * u
