"""Write the feed of a content type from its declaration."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy.orm import Session

from masthead import (
    ContentType,
    Feed,
    ImageInfo,
    Instance,
    Organisation,
    PublicReader,
    Timestamp,
    absolute_address,
    absolute_html,
    api_address,
    item_address,
    organisation_of,
    plain_text,
    site_address,
    utcnow,
    written_span,
)
from masthead_feeds.attachments import attachment
from masthead_feeds.rss import Attachment, Channel, Entry, write_rss
from masthead_feeds.settings import DESCRIPTION, LANGUAGE, TITLE

MAX_ITEMS = 50
_LONGEST_SUMMARY = 300
_TIME = Timestamp()
_FIELDS = (
    *("id", "slug", "title", "description", "lang", "dir", "content", "tags", "author"),
    *("createdAt", "firstPublishedAt", "changedAt", "scheduledPublishAt"),
)

Item = Mapping[str, Any]


def feed_path(content_type: ContentType) -> str:
    """Return the path at which the API serves the feed of a content type."""
    return f"/api/feed/{content_type.name}"


class FeedWriter:
    """The writer of a content type's feed."""

    def __init__(self, instance: Instance, content_type: ContentType, feed: Feed) -> None:
        self._instance = instance
        self._settings = instance.settings
        self._name = content_type.name
        self._feed = feed
        self._reader = PublicReader(content_type, instance.database, (*_FIELDS, *feed.fields))
        self._channel = self._describe(content_type)

    def write(self, session: Session) -> bytes:
        """Return the newest items as RSS."""
        items = self._reader.read_newest(session.connection(), MAX_ITEMS)
        images = self._image_infos(session, items)
        organisation, now = organisation_of(session), utcnow()
        entries = [self._entry(item, images, organisation, now) for item in items]
        changed = max((_changed_at(item) for item in items), default=None)
        return write_rss(self._named(session), changed, entries)

    def _named(self, session: Session) -> Channel:
        """Return the channel with the name, the description and the language of the website."""
        settings, channel = self._settings, self._channel
        own = organisation_of(session, name=settings[TITLE], language=settings[LANGUAGE])
        title = ": ".join(filter(None, (own.name, channel.title)))
        described = own.description or own.tagline or settings[DESCRIPTION]
        return replace(channel, title=title, description=described or title, language=own.language)

    def _describe(self, content_type: ContentType) -> Channel:
        pages = {entry.name: entry for entry in self._instance.navigation}
        page = pages.get(content_type.name)
        label = page.label if page else content_type.name.replace("-", " ").capitalize()
        return Channel(
            title=label,
            description="",
            address=site_address(self._settings, page.path if page else "/"),
            own_address=api_address(self._settings, feed_path(content_type)),
            language="",
            namespaces=self._feed.namespaces,
        )

    def _entry(
        self,
        item: Item,
        images: Mapping[str, ImageInfo],
        organisation: Organisation,
        now: datetime,
    ) -> Entry:
        page = item_address(self._settings, self._name, item["slug"])
        lead = html.escape(self._lead(item, organisation))
        content = absolute_html(self._settings, page, item["content"] or "")
        # Feeds with content need a description.
        summary = html.escape(item["description"] or _beginning(item["content"]), quote=False)
        return Entry(
            guid=_guid(self._name, item),
            title=item["title"],
            address=page,
            published_at=_published_at(item, self._feed.date, now),
            summary="<br>".join(filter(None, (lead, summary))),
            content=(f"<p>{lead}</p>" if lead else "") + _in_language(content, item),
            language=item["lang"] or "",
            author=(item["author"] or {}).get("displayName", ""),
            categories=self._categories(item),
            attachment=self._attachment(item, page, images),
            elements={
                name: _text(item[field])
                for name, field in self._feed.elements.items()
                if item[field] is not None
            },
        )

    def _lead(self, item: Item, organisation: Organisation) -> str:
        """Join times and texts: ``2 – 4 May 2027, Hall``."""
        values = [item[name] for name in self._feed.lead]
        times = [value for value in values if isinstance(value, datetime)]
        texts = [_text(value) for value in values if value and not isinstance(value, datetime)]
        if not times:
            return ", ".join(texts)
        setting = self._feed.whole_days
        span = written_span(
            times[0],
            times[-1],
            zone=organisation.zone,
            language=item["lang"] or organisation.language,
            whole_days=setting is not None and self._settings[setting],
        )
        return ", ".join((span, *texts))

    def _categories(self, item: Item) -> Sequence[str]:
        """Return the names of the category and the tags, without duplicates."""
        category = item[self._feed.category] if self._feed.category else None
        names = [category, *(tag["name"] for tag in item["tags"])]
        return list(dict.fromkeys(filter(None, names)))

    def _attachment(
        self, item: Item, page: str, images: Mapping[str, ImageInfo]
    ) -> Attachment | None:
        file = self._feed.enclosure
        if file is not None:
            given, media_type, size = item[file.url], item[file.type], item[file.length]
            if not (given and media_type and size):
                return None
            return attachment(absolute_address(self._settings, page, given), media_type, size)
        image = images.get(self._image_path(item) or "")
        if image is None:
            return None
        return attachment(api_address(self._settings, image.path), image.media_type, image.size)

    def _image_infos(self, session: Session, items: Iterable[Item]) -> dict[str, ImageInfo]:
        """Return what plugins know about the items' images, by path."""
        paths = sorted({path for item in items if (path := self._image_path(item))})
        if not paths:
            return {}
        answers = self._instance.hooks.masthead_image_info(session=session, paths=paths)
        return {image.path: image for images in answers for image in images}

    def _image_path(self, item: Item) -> str | None:
        """Return the path of the item's image in the API without its query, if it has one."""
        address = (item[self._feed.image] or "") if self._feed.image else ""
        path: str = address.removeprefix(api_address(self._settings, ""))
        path = re.split("[?#]", path, maxsplit=1)[0]
        return path if path.startswith("/api/") else None


def _guid(name: str, item: Item) -> str:
    """Return an id of values that never change; the title and the address can change."""
    return uuid5(NAMESPACE_URL, f"{name}/{item['id']}/{item['createdAt'].isoformat()}").urn


def _published_at(item: Item, date: str, now: datetime) -> datetime:
    given: datetime | None = item[date]
    seen: datetime = item["firstPublishedAt"] or item["createdAt"]
    return seen if given is None or given > now else given


def _beginning(content: str | None) -> str:
    """Return the first words of HTML content as plain text."""
    text = " ".join(plain_text(content or "").split())
    if len(text) <= _LONGEST_SUMMARY:
        return text
    # Some scripts have no spaces.
    end = text.rfind(" ", _LONGEST_SUMMARY // 2, _LONGEST_SUMMARY)
    return f"{text[: end if end > 0 else _LONGEST_SUMMARY]} …"


def _in_language(content: str, item: Item) -> str:
    """Return HTML with the language and the direction of an item, if the item has its own."""
    if not (content and item["lang"]):
        return content
    return f'<div lang="{item["lang"]}" dir="{item["dir"]}">{content}</div>'


def _changed_at(item: Item) -> datetime:
    """Return the time since which the public sees the item as it is now."""
    changed: datetime = item["changedAt"]
    return max(changed, item["scheduledPublishAt"] or changed)


def _text(value: Any) -> str:
    """Return a value as the text of an element; times have the format of the API."""
    if isinstance(value, datetime):
        return _TIME.dump(value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
