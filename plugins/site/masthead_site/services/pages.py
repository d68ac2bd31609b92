"""Pages that staff write: their slugs, and what the public sees of them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, select, true
from sqlalchemy.orm import Session

from masthead import (
    Instance,
    NotFound,
    SitemapEntry,
    flush_with_slugs,
    instance_of,
    item_address,
    site_address,
)
from masthead_site.models import Page

RESERVED = frozenset(
    {
        "about",
        "actions",
        "admin",
        "api",
        "assets",
        "contact",
        "docs",
        "events",
        "feed",
        "healthz",
        "home",
        "images",
        "index",
        "login",
        "news",
        "people",
        "readyz",
        "robots",
        "search",
        "sitemap",
        "staff",
        "static",
    }
)
"""Slugs that no page gets, whatever is installed."""


def published() -> ColumnElement[bool]:
    """Whether the public sees a page; every public outlet selects pages by it."""
    return Page.published == true()


def public_page(session: Session, slug: str) -> Page:
    """The published page at a slug.

    :raises NotFound: where there is none.
    """
    page = session.scalar(select(Page).where(Page.slug == slug, published()))
    if page is None:
        raise NotFound
    return page


def sitemap_entries(session: Session) -> list[SitemapEntry]:
    """The published pages, as search engines learn of them."""
    rows = session.execute(select(Page.slug, Page.updated_at).where(published()).order_by(Page.id))
    return [SitemapEntry(f"/{row.slug}", row.updated_at) for row in rows]


def flush_pages(session: Session, pages: Sequence[Page]) -> None:
    """Write pages; a new one gets a slug from its title, which it keeps."""
    new = [page for page in pages if page not in session]
    reserved = reserved_slugs(instance_of(session)) if new else frozenset()
    flush_with_slugs(session, Page, [(page, page.title) for page in new], reserved=reserved)
    session.flush()


def reserved_slugs(instance: Instance) -> frozenset[str]:
    """What pages aren't called: the first part of any path that is something else already.

    These are the paths of the API, of navigation, and of content on the website.
    """
    settings = instance.settings
    root = site_address(settings, "")
    content = [item_address(settings, name, "-") for name in instance.content_types]
    paths = [
        *(endpoint.path for endpoint in instance.endpoints),
        *(entry.path for entry in instance.navigation),
        *(address.removeprefix(root) for address in content),
    ]
    return RESERVED.union(path.split("/")[1] for path in paths)
