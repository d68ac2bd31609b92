"""Fixtures: feeds, and a plugin with content types of each kind of feed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import feedparser
import pytest
from lxml import etree
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Approvable,
    ContentItem,
    ContentType,
    Enclosure,
    Feed,
    ImageInfo,
    Int,
    NavigationEntry,
    Plugin,
    SitemapEntry,
    Str,
    Timestamp,
    Url,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.testing import Client, Desk
from masthead_feeds.plugin import plugin as feeds

BASE, SITE = "https://api.example.org", "https://www.example.org"
STRICT = etree.XMLParser(recover=False, resolve_entities=False)
NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "ev": "http://purl.org/rss/1.0/modules/event/",
    "s": "http://www.sitemaps.org/schemas/sitemap/0.9",
}


class Base(DeclarativeBase):
    metadata = plugin_metadata("fair")


class Story(ContentItem, Base):
    __tablename__ = "fair_story"

    topic: Mapped[str | None] = field(Str())
    picture: Mapped[str | None] = field(Url())
    told_at: Mapped[datetime | None] = field(Timestamp())
    secret: Mapped[str | None] = field(Str(), public=False)


class Show(ContentItem, Base):
    __tablename__ = "fair_show"

    starts: Mapped[datetime] = field(Timestamp(), required=True)
    ends: Mapped[datetime | None] = field(Timestamp())
    tent: Mapped[str | None] = field(Str())


class Song(ContentItem, Base):
    __tablename__ = "fair_song"

    file: Mapped[str | None] = field(Url())
    file_type: Mapped[str | None] = field(Str())
    file_size: Mapped[int | None] = field(Int(1))


class Rule(ContentItem, Base):
    """A content type without a feed."""

    __tablename__ = "fair_rule"


STORIES = ContentType(
    name="stories",
    label="Story",
    model=Story,
    order="-toldAt",
    feed=Feed(date="toldAt", category="topic", image="picture"),
)
SHOWS = ContentType(
    name="shows",
    label="Show",
    model=Show,
    order="starts",
    feed=Feed(
        lead=("starts", "ends", "tent"),
        elements={"ev:startdate": "starts", "ev:enddate": "ends", "ev:location": "tent"},
        namespaces={"ev": NAMESPACES["ev"]},
    ),
)
SONGS = ContentType(
    name="songs",
    label="Song",
    model=Song,
    feed=Feed(enclosure=Enclosure("file", "fileType", "fileSize")),
)
RULES = ContentType(name="rules", label="Rule", model=Rule)


class Hooks:
    """The plugin's hooks: it has content types, one image and two pages."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [STORIES, SHOWS, SONGS, RULES]

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        return [
            NavigationEntry("home", "Home", "/", order=0),
            NavigationEntry("stories", "Our stories", "/stories", order=1),
            NavigationEntry("about", "About", "/about", order=2),
            NavigationEntry("contact", "Contact", "/contact", order=3),
        ]

    @hookimpl
    def masthead_image_info(self, paths: Sequence[str]) -> list[ImageInfo]:
        known = ImageInfo("/api/images/images/1.jpg", "image/jpeg", 48_213)
        return [known] if known.path in paths else []

    @hookimpl
    def masthead_sitemap(self, session: Session) -> list[SitemapEntry]:
        assert session.connection()
        changed = datetime(2020, 2, 29, 23, 59, tzinfo=UTC)
        return [SitemapEntry("/about", changed), SitemapEntry("/how-to-get-here", changed)]


FAIR = Plugin(name="fair", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [feeds, FAIR]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.base_url": BASE, "masthead.site_url": SITE}


@pytest.fixture
def stories(app: Client) -> Desk:
    return Desk(app, "stories").as_role("editor")


@pytest.fixture
def shows(app: Client) -> Desk:
    return Desk(app, "shows").as_role("editor")


@pytest.fixture
def songs(app: Client) -> Desk:
    return Desk(app, "songs").as_role("editor")


@pytest.fixture
def xml(app: Client) -> Callable[[str], Any]:
    """Parse the answer of a path by a strict parser; a feed by a feed parser too."""

    def read(path: str) -> Any:
        answer = app.get(path)
        if "/feed/" in path:
            assert not feedparser.parse(answer.body).bozo
        return etree.fromstring(answer.body, STRICT)

    return read


@pytest.fixture
def find() -> Callable[..., list[str]]:
    """Return the texts that an XPath selects in a document."""

    def texts(document: Any, path: str) -> list[str]:
        found = document.xpath(path, namespaces=NAMESPACES)
        return [each if isinstance(each, str) else each.text for each in found]

    return texts
