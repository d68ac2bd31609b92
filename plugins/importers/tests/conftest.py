"""Fixtures: content types like those of a website, and exports of other systems."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from html import escape
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import (
    KEY,
    Approvable,
    Bool,
    ContentItem,
    ContentType,
    Html,
    Invalid,
    Line,
    Plugin,
    PublicRoutes,
    Resource,
    ResourceItem,
    Str,
    Timestamp,
    Url,
    field,
    flush_with_slugs,
    hookimpl,
    plugin_metadata,
)
from masthead.instance import Instance
from masthead.testing import Client
from masthead_importers.entries import Export
from masthead_importers.moving import Options, move
from masthead_importers.plugin import plugin as importers
from masthead_importers.report import Report

SITE = "https://old.example"
NAMESPACES = (
    'xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"'
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:wp="http://wordpress.org/export/1.2/"'
)
PNG = b"\x89PNG\r\n\x1a\n"


class Base(DeclarativeBase):
    metadata = plugin_metadata("old")


class Article(ContentItem, Base):
    __tablename__ = "old_article"

    category: Mapped[str | None] = field(Line())
    image_url: Mapped[str | None] = field(Url())
    published_at: Mapped[datetime | None] = field(Timestamp())


class Occasion(ContentItem, Base):
    __tablename__ = "old_occasion"

    start_date: Mapped[datetime] = field(Timestamp(), required=True)
    end_date: Mapped[datetime | None] = field(Timestamp())
    location: Mapped[str | None] = field(Line())
    link: Mapped[str | None] = field(Url())


class Page(ResourceItem, Base):
    __tablename__ = "old_page"

    title: Mapped[str] = field(Line(), required=True)
    slug: Mapped[str] = mapped_column(KEY, unique=True)
    published: Mapped[bool] = field(Bool(), default=False, public=False)
    content: Mapped[str | None] = field(Html(), listed=False, sort_order=30)


def flush_pages(session: Any, pages: Any) -> None:
    new = [page for page in pages if page not in session]
    flush_with_slugs(session, Page, [(page, page.slug or page.title) for page in new])
    session.flush()


NEWS = ContentType(name="news", label="Article", model=Article, order="-publishedAt")
EVENTS = ContentType(name="events", label="Event", model=Occasion, order="startDate")
PAGES = Resource(
    name="pages",
    label="Page",
    model=Page,
    area="pages",
    shows={"slug": Str()},
    public=PublicRoutes(by="slug", shows=("slug",)),
    flush=flush_pages,
    site_path="/{slug}",
)


class Hooks:
    """A plugin with articles, events and pages, which keeps images in memory."""

    def __init__(self) -> None:
        self.images: dict[str, str | None] = {}
        """The alternative texts by path."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [NEWS, EVENTS]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [PAGES]

    @hookimpl
    def masthead_store_image(self, file: IO[bytes], alt_text: str | None) -> str:
        content = file.read()
        if not content.startswith(PNG):
            raise Invalid("Invalid file type. Only images are allowed.")
        path = f"/api/images/{sha256(content).hexdigest()[:8]}.png"
        self.images.setdefault(path, alt_text)
        return path


HOOKS = Hooks()


@pytest.fixture
def hooks() -> Hooks:
    """The same object in each test, with a new state, so that tests share an instance."""
    HOOKS.__init__()
    return HOOKS


@pytest.fixture
def plugins(hooks: Hooks) -> list[Plugin]:
    return [importers, Plugin(name="old", hooks=(hooks,), base=Base)]


@pytest.fixture
def move_in(instance: Instance) -> Callable[..., Report]:
    """Import an export; published unless the options say otherwise."""

    def run(export: Export, **options: Any) -> Report:
        return move(instance, export, Options(**{"publish": True, **options}))

    return run


@pytest.fixture
def read(app: Client) -> Callable[..., Any]:
    """Return the JSON that the public reads at a path."""
    return lambda path, **query: app.get(path, query).json


def element(name: str, text: Any) -> str:
    return f"<{name}><![CDATA[{text}]]></{name}>"


def meta(key: str, value: Any) -> str:
    pair = element("wp:meta_key", key) + element("wp:meta_value", value)
    return f"<wp:postmeta>{pair}</wp:postmeta>"


def term(domain: str, slug: str, name: str) -> str:
    return f'<category domain="{domain}" nicename="{slug}"><![CDATA[{name}]]></category>'


def wp_item(number: int, title: str = "", content: str = "", **values: Any) -> str:
    """Return an item of a WordPress export; ``more`` is further XML."""
    kind = values.pop("kind", "post")
    slug = values.pop("slug", title.lower().replace(" ", "-"))
    given = {
        "title": title,
        "link": f"{SITE}/2019/05/{slug}/" if kind == "post" else f"{SITE}/{slug}/",
        "dc:creator": "rosa",
        "content:encoded": content,
        "excerpt:encoded": "",
        "wp:post_id": number,
        "wp:post_date": "2019-05-01 10:00:00",
        "wp:post_date_gmt": "2019-05-01 08:00:00",
        "wp:post_name": slug,
        "wp:status": "publish",
        "wp:post_parent": 0,
        "wp:post_type": kind,
        "wp:post_password": "",
    }
    more = values.pop("more", "")
    named = {name.replace("__", ":"): value for name, value in values.items()}
    inner = "".join(element(name, value) for name, value in (given | named).items())
    return f"<item>{inner}{more}</item>"


def wp_image(number: int, path: str, alt: str = "", parent: int = 0) -> str:
    url = f"{SITE}/wp-content/uploads/{path}"
    more = element("wp:attachment_url", url) + meta("_wp_attachment_image_alt", alt)
    return wp_item(
        number, path, kind="attachment", wp__status="inherit", wp__post_parent=parent, more=more
    )


def wxr(*items: str, home: str = SITE) -> str:
    author = (
        "<wp:author><wp:author_id>1</wp:author_id>"
        + element("wp:author_login", "rosa")
        + element("wp:author_email", "rosa@old.example")
        + element("wp:author_display_name", "Rosa Moss")
        + "</wp:author>"
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8" ?>\n<!-- an export -->\n'
        f'<rss version="2.0" {NAMESPACES}>\n'
        f"<channel><title>Old</title><link>{escape(home)}</link>\n"
        f"<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>{escape(home)}</wp:base_blog_url>\n"
        f"{author}\n" + "\n".join(items) + "\n</channel></rss>\n"
    )


@pytest.fixture
def wp() -> SimpleNamespace:
    """Builders of the parts of WordPress exports."""
    return SimpleNamespace(
        item=wp_item, image=wp_image, term=term, meta=meta, element=element, export=wxr
    )


@pytest.fixture
def export(tmp_path: Path) -> Callable[..., Path]:
    """Write an export, and return its path."""

    def write(content: str | bytes, name: str = "export.xml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def uploads(export: Callable[..., Path]) -> Path:
    """The folder of uploads, with two images and a document."""
    export(PNG, "uploads/2019/05/tree.png")
    export(PNG + b"2", "uploads/2019/05/bee.png")
    return export(b"%PDF-1.4", "uploads/2019/05/plan.pdf").parents[2]
