"""The pages of the website: their slugs, and their place in the sitemap."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import (
    Instance,
    SitemapEntry,
    flush_with_slugs,
    former_slugs,
    instance_of,
    item_address,
    organisation_of,
    site_address,
    unique,
)
from masthead_site.models import Page

PAGES = "pages"
"""The name of the resource."""
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
"""Slugs that no page gets, whichever plugins are installed."""


def sitemap_entries(session: Session) -> list[SitemapEntry]:
    """Return the published pages as entries of the sitemap."""
    pages = select(Page.slug, Page.updated_at).where(Page.published).order_by(Page.id)
    return [SitemapEntry(f"/{row.slug}", row.updated_at) for row in session.execute(pages)]


def flush_pages(session: Session, pages: Sequence[Page]) -> None:
    """Write pages; one that is new or has no slug gets one from its wish or its title."""
    without = [page for page in pages if page not in session or not page.slug]
    if without:
        flush_with_slugs(
            session,
            Page,
            [(page, page.slug or page.title) for page in without],
            reserved=reserved_slugs(instance_of(session)),
            former=former_slugs(PAGES),
            language=organisation_of(session).language,
        )
    with unique(session, "slug: already taken", Page.slug):
        session.flush()


def reserved_slugs(instance: Instance) -> frozenset[str]:
    """Return the slugs that no page may have: the first segments of all other paths.

    These are paths of the API, of the navigation, and of content on the website.
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
