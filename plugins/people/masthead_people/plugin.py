"""People as a plugin: one resource, which brings the endpoints of staff and of the public."""

from __future__ import annotations

from sqlalchemy import func, select, true
from sqlalchemy.orm import Session

from masthead import (
    DIRECTION,
    TIMES,
    Demo,
    NavigationEntry,
    Nullable,
    Plugin,
    PublicRoutes,
    Resource,
    SitemapEntry,
    hookimpl,
)
from masthead_people.demo import show_people
from masthead_people.models import Base, Person

PEOPLE = Resource(
    name="people",
    label="Person",
    plural="People",
    model=Person,
    area="people",
    trash=True,
    order=("displayOrder",),
    search_fields=("name", "role", "briefMessage"),
    shows={
        "dir": Nullable(DIRECTION).described("The direction of its script; null if `lang` is."),
        **TIMES,
    },
    public=PublicRoutes(operations=("list",), shows=("dir", "updatedAt"), listed_at="/people"),
)


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resource of people."""
    return [PEOPLE]


@hookimpl
def masthead_navigation() -> list[NavigationEntry]:
    """Return the page that lists people."""
    return [NavigationEntry("people", "People", "/people", order=60)]


@hookimpl
def masthead_sitemap(session: Session) -> list[SitemapEntry]:
    """Return the page that lists people, and the last change of a published person."""
    changed = select(func.max(Person.updated_at)).where(Person.published == true())
    return [SitemapEntry("/people", session.scalar(changed))]


@hookimpl
def masthead_demo(demo: Demo) -> None:
    """Create people for the demo; one of them is not published."""
    show_people(demo)


plugin = Plugin(
    name="people", hooks=(__name__,), base=Base, migrations="masthead_people.migrations"
)
