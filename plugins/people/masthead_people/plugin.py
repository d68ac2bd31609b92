"""How people join Masthead: a resource for staff, and a list for everybody."""

from __future__ import annotations

from masthead import (
    MOST_ROWS,
    PUBLIC,
    Demo,
    Endpoint,
    Int,
    ListOf,
    NavigationEntry,
    Nullable,
    Object,
    Plugin,
    Resource,
    Str,
    Url,
    hookimpl,
    required,
    schema,
)
from masthead_people import views
from masthead_people.demo import show_people
from masthead_people.models import BRIEF_MESSAGE, Base, Person

PEOPLE = Resource(
    name="people",
    label="Person",
    model=Person,
    area="people",
    order=("displayOrder",),
)
PUBLIC_PERSON = schema(
    {
        "id": required(Int()),
        "name": required(Str()),
        "role": required(Str()),
        "imageUrl": required(Nullable(Url())),
        "briefMessage": required(Nullable(Str(BRIEF_MESSAGE))),
        "displayOrder": required(Int()),
    }
)


class Hooks:
    """What people answer to core's hooks."""

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        """The people as staff keep them."""
        return [PEOPLE]

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        """The page of the team."""
        return [NavigationEntry("people", "People", "/people", order=60)]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        """The people as everybody sees them."""
        return [
            Endpoint(
                name="people.list",
                method="GET",
                path="/api/people",
                view=views.list_people,
                permission=PUBLIC,
                summary="List the published people",
                returns=ListOf(Object(PUBLIC_PERSON)),
                page=MOST_ROWS,
            )
        ]

    @hookimpl
    def masthead_demo(self, demo: Demo) -> None:
        """People, of whom one isn't public."""
        show_people(demo)


plugin = Plugin(name="people", hooks=(Hooks(),), base=Base, migrations="masthead_people.migrations")
