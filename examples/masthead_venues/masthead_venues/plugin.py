"""Venues and concerts as a plugin: a resource, and a content type that refers to it."""

from masthead import Approvable, ContentType, Plugin, PublicRoutes, Resource, hookimpl
from masthead_venues.models import Base, Concert, Venue

VENUES = Resource(
    name="venues",
    label="Venue",
    model=Venue,
    area="venues",
    order=("name",),
    search_fields=("name", "city"),
    public=PublicRoutes(),
    trash=True,
)
CONCERTS = ContentType(
    name="concerts",
    label="Concert",
    model=Concert,
    area="venues",
    order="startsAt",
    upcoming="startsAt",
)


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resource of venues."""
    return [VENUES]


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the content type of concerts."""
    return [CONCERTS]


plugin = Plugin("venues", hooks=(__name__,), base=Base, migrations="masthead_venues.migrations")
