"""How site joins Masthead: the frame that every website has around its content."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    MOST_ROWS,
    PUBLIC,
    SUCCESS,
    Chore,
    Demo,
    Endpoint,
    Instance,
    Job,
    NavigationEntry,
    Plugin,
    Resource,
    Setting,
    SitemapEntry,
    Str,
    Timestamp,
    hookimpl,
)
from masthead_site import schemas
from masthead_site.demo import show_site
from masthead_site.models import Base, Message, Page, StaticImage, Value
from masthead_site.services.messages import (
    deleting_messages,
)
from masthead_site.services.pages import flush_pages, sitemap_entries
from masthead_site.settings import MESSAGE_DAYS
from masthead_site.views import about, images, messages, navigation, pages

READ, WRITE = "site.read", "site.write"

PAGES = Resource(
    name="pages",
    label="Page",
    model=Page,
    area="site",
    shows={"slug": Str(), "createdAt": Timestamp(), "updatedAt": Timestamp()},
    flush=flush_pages,
)
VALUES = Resource(
    name="values",
    label="Value",
    model=Value,
    area="site",
    path="about/values",
    order=("order",),
)
IMAGES = Resource(
    name="static-images", label="Static image", model=StaticImage, area="site", order=("id",)
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


class Hooks:
    """What site answers to core's hooks."""

    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        """How long messages are kept."""
        return [MESSAGE_DAYS]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        """Pages, values, static images and messages."""
        return [PAGES, VALUES, IMAGES, MESSAGES]

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        """The pages that every website has."""
        return [
            NavigationEntry("home", "Home", "/", order=10),
            NavigationEntry("about", "About", "/about", order=40),
            NavigationEntry("contact", "Contact", "/contact", order=70),
        ]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        """What visitors read and send, and what staff change beside the resources."""
        return [*_PUBLIC, *_NAVIGATION, *_ABOUT]

    @hookimpl
    def masthead_sitemap(self, session: Session) -> list[SitemapEntry]:
        """The published pages."""
        return sitemap_entries(session)

    @hookimpl
    def masthead_jobs(self, instance: Instance) -> list[Job | Chore]:
        """Deleting old messages."""
        run = deleting_messages(instance.settings[MESSAGE_DAYS])
        return [Job("site.message-retention", timedelta(hours=6), run)]

    @hookimpl
    def masthead_demo(self, demo: Demo) -> None:
        """Texts, pages, navigation, images, and a message."""
        show_site(demo)


_PUBLIC = [
    Endpoint(
        name="navigation.list",
        method="GET",
        path="/api/navigation",
        view=navigation.show_navigation,
        permission=PUBLIC,
        summary="List what the navigation offers, folders with what is in them",
        returns=schemas.NAVIGATION,
        page=MOST_ROWS,
    ),
    Endpoint(
        name="pages.show",
        method="GET",
        path="/api/pages/{slug}",
        view=pages.show_page,
        permission=PUBLIC,
        summary="Show one of the published pages",
        returns=schemas.PAGE,
    ),
    Endpoint(
        name="about.show",
        method="GET",
        path="/api/about",
        view=about.show_about,
        permission=PUBLIC,
        summary="Show what the organisation says about itself",
        returns=schemas.ABOUT,
    ),
    Endpoint(
        name="static-images.list",
        method="GET",
        path="/api/static-images",
        view=images.list_images,
        permission=PUBLIC,
        summary="List static images by id",
        returns=schemas.IMAGES,
        page=MOST_ROWS,
    ),
    Endpoint(
        name="static-images.show",
        method="GET",
        path="/api/static-images/{name}",
        view=images.show_image,
        permission=PUBLIC,
        summary="Show a static image",
        returns=schemas.IMAGE,
    ),
    Endpoint(
        name="contact.send",
        method="POST",
        path="/api/contact",
        view=messages.send_message,
        permission=PUBLIC,
        summary="Write to the organisation",
        returns=schemas.RECEIVED,
        body=schemas.MESSAGE_BODY,
    ),
]
_NAVIGATION = [
    Endpoint(
        name="staff.navigation.list",
        method="GET",
        path="/api/staff/navigation",
        view=navigation.list_entries,
        permission=READ,
        summary="List all entries of the navigation, each folder before what is in it",
        returns=schemas.ENTRIES,
        page=MOST_ROWS,
    ),
    Endpoint(
        name="staff.navigation.create",
        method="POST",
        path="/api/staff/navigation",
        view=navigation.create_entry,
        permission=WRITE,
        summary="Add a folder, a page or a link to the navigation",
        returns=schemas.ENTRY,
        body=schemas.ENTRY_BODY,
    ),
    Endpoint(
        name="staff.navigation.update",
        method="PUT",
        path="/api/staff/navigation/{entry}",
        view=navigation.update_entry,
        permission=WRITE,
        summary="Change, move or hide an entry of the navigation",
        returns=schemas.ENTRY,
        body=schemas.ENTRY_BODY,
    ),
    Endpoint(
        name="staff.navigation.delete",
        method="DELETE",
        path="/api/staff/navigation/{entry}",
        view=navigation.delete_entry,
        permission=WRITE,
        summary="Delete an entry of the navigation; what is in a folder moves up",
        returns=SUCCESS,
        refuses=frozenset({400}),
    ),
]
_ABOUT = [
    Endpoint(
        name="staff.about.show",
        method="GET",
        path="/api/staff/about",
        view=about.show_texts,
        permission=READ,
        summary="Show mission and history",
        returns=schemas.TEXTS,
    ),
    Endpoint(
        name="staff.about.update",
        method="PUT",
        path="/api/staff/about",
        view=about.update_texts,
        permission=WRITE,
        summary="Change mission or history",
        returns=schemas.TEXTS,
        body=schemas.TEXTS_BODY,
    ),
]


plugin = Plugin(name="site", hooks=(Hooks(),), base=Base, migrations="masthead_site.migrations")
