"""The frame of a website as a plugin: resources, navigation, texts and a contact form."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    DIRECTION,
    TIMES,
    AuditAction,
    Chore,
    Copies,
    Demo,
    Endpoint,
    Instance,
    Job,
    NavigationEntry,
    Nullable,
    Plugin,
    PublicRoutes,
    Resource,
    Setting,
    SitemapEntry,
    endpoints_in,
    hookimpl,
)
from masthead_site.demo import show_site
from masthead_site.models import Base, Message, Page, StaticImage, Value
from masthead_site.services.messages import deleting_messages
from masthead_site.services.pages import flush_pages, reserved_slugs, sitemap_entries
from masthead_site.settings import MAX_AGE, MESSAGE_DAYS
from masthead_site.views import about, messages, navigation, organisation

PAGES = Resource(
    name="pages",
    label="Page",
    model=Page,
    area="site",
    trash=True,
    search_fields=("title", "content"),
    shows={
        "dir": Nullable(DIRECTION).described("The direction of its script; null if `lang` is."),
        **TIMES,
    },
    public=PublicRoutes(operations=("show",), by="slug", shows=("dir", "updatedAt")),
    flush=flush_pages,
    site_path="/{slug}",
    reserved_slugs=reserved_slugs,
    copies=Copies(),
)
VALUES = Resource(
    name="values",
    label="About value",
    model=Value,
    area="site",
    path="about/values",
    order=("order",),
)
IMAGES = Resource(
    name="static-images",
    label="Static image",
    model=StaticImage,
    area="site",
    order=("id",),
    public=PublicRoutes(),
)
MESSAGES = Resource(
    name=messages.KIND,
    label="Contact message",
    model=Message,
    area="messages",
    filters=("status",),
    person="email",
    operations=("list", "show", "update", "delete"),
    editable=("status",),
)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the lifetime of the navigation and the retention time of messages."""
    return [MAX_AGE, MESSAGE_DAYS]


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resources of pages, values, static images and messages."""
    return [PAGES, VALUES, IMAGES, MESSAGES]


@hookimpl
def masthead_navigation() -> list[NavigationEntry]:
    """Return the pages that every website has."""
    return [
        NavigationEntry("home", "Home", "/", order=10),
        NavigationEntry("about", "About", "/about", order=40),
        NavigationEntry("contact", "Contact", "/contact", order=70),
    ]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of the organisation, navigation, texts and the contact form."""
    declared = endpoints_in(navigation, about, messages, organisation)
    return [*declared, *about.TEXTS.endpoints(), *organisation.FACTS.endpoints()]


@hookimpl
def masthead_sitemap(session: Session) -> list[SitemapEntry]:
    """Return the published pages."""
    return sitemap_entries(session)


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job | Chore]:
    """Return the job that deletes old messages."""
    run = deleting_messages(instance.settings[MESSAGE_DAYS])
    return [Job("site.message-retention", timedelta(hours=6), run)]


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the action of the facts about the organisation."""
    return [AuditAction("site.update", "Facts about the organisation were changed.")]


@hookimpl
def masthead_demo(demo: Demo) -> None:
    """Create texts, pages, navigation, images and a message for the demo."""
    show_site(demo)


plugin = Plugin(
    name="site",
    hooks=(__name__,),
    base=Base,
    migrations="masthead_site.migrations",
    texts="masthead_site.texts",
)
