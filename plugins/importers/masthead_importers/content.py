"""Writes the values of an entry: cleaned content with corrected links and images."""

from __future__ import annotations

from typing import Any

from masthead import Html, Invalid, change_links
from masthead_importers.addresses import FormerSite
from masthead_importers.entries import Entry, Export
from masthead_importers.markup import one_line, shortened, without_variants
from masthead_importers.media import Media, original_address
from masthead_importers.report import Report

_TITLE, _DESCRIPTION = 200, 2_000
_UNTITLED = 60
"""The number of characters of the content that name an entry without a title."""


class ContentWriter:
    """Writes the values of entries by wire name."""

    def __init__(
        self, export: Export, site: FormerSite, media: Media, kind: Html, report: Report
    ) -> None:
        self._export = export
        self._site = site
        self._media = media
        self._kind = kind
        self._report = report

    def write(self, entry: Entry) -> dict[str, Any]:
        """Return the values of an entry, and store its images.

        :raises Invalid: for content that is too large or too deeply nested.
        """
        # First, because the export knows the alternative text of this image.
        picture = self._image(entry)
        content = self._content(entry)
        values: dict[str, Any] = {
            "title": self._title(entry, content),
            "content": content,
            "description": shortened(one_line(entry.description), _DESCRIPTION),
            "category": shortened(one_line(entry.category), _TITLE),
            "tags": self._tags(entry),
            "imageUrl": picture,
            "publishedAt": entry.date,
            **entry.values,
        }
        if entry.scheduled:
            values["scheduledPublishAt"] = entry.date
        return {name: value for name, value in values.items() if value}

    def _content(self, entry: Entry) -> str:
        written = self._export.html(entry, self._report)
        if not written.strip():
            return ""
        try:
            html = self._kind.parse(written)
        except ValueError as error:
            raise Invalid(f"content: {error}") from None
        return change_links(without_variants(html), lambda address: self._address(entry, address))

    def _title(self, entry: Entry, content: str) -> str:
        title = one_line(entry.title)
        if not title:
            self._report.warn("an item without a title is named after its text", str(entry))
            title = shortened(one_line(content), _UNTITLED) or entry.slug or "Untitled"
        if len(title) > _TITLE:
            self._report.warn(f"a title is shortened to {_TITLE} characters", str(entry))
        return shortened(title, _TITLE)

    def _tags(self, entry: Entry) -> list[str]:
        names = (shortened(one_line(tag), _TITLE) for tag in entry.tags)
        return list(dict.fromkeys(filter(None, names)))

    def _image(self, entry: Entry) -> str:
        if not entry.image:
            return ""
        return self._address(entry, entry.image)

    def _address(self, entry: Entry, address: str) -> str:
        """Return the new form of an address in the content of an entry."""
        absolute = self._site.absolute(address.strip(), entry.address)
        if not self._site.owns(absolute):
            return address
        if self._media.is_upload(absolute):
            alt_text = self._export.alt_text(original_address(absolute))
            new = self._media.store(absolute, alt_text, self._report, str(entry))
            return new or absolute
        new = self._site.new_path(absolute)
        if new is None and absolute.rstrip("/") != self._export.home:
            self._report.warn(
                "a link leads to a page of the former website that is not imported",
                f"{entry}: {absolute}",
            )
        return new or absolute
