"""A plugin with venues, and one with concerts that refer to venues, bands and other concerts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import delete, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Approvable,
    Bool,
    Computed,
    ContentItem,
    ContentType,
    Instance,
    Int,
    Line,
    Nullable,
    Plugin,
    PublicRoutes,
    Ref,
    Refs,
    Resource,
    ResourceItem,
    Str,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.testing import Client, Desk


class VenueBase(DeclarativeBase):
    metadata = plugin_metadata("venues")


class ConcertBase(DeclarativeBase):
    metadata = plugin_metadata("concerts")


class Venue(ContentItem, VenueBase):
    """A place for concerts."""

    __tablename__ = "venues_venue"


class Band(ResourceItem, VenueBase):
    """A band."""

    __tablename__ = "venues_band"

    name: Mapped[str] = field(Line(), required=True)
    venue_id: Mapped[int | None] = field(Ref("venues", on_delete="clear"))
    published: Mapped[bool] = field(Bool(), default=False, public=False)


class Concert(ContentItem, ConcertBase):
    """A concert."""

    __tablename__ = "concerts_concert"

    venue_id: Mapped[int | None] = field(Ref("venues"))
    band_ids: Mapped[list[int] | None] = field(Refs("bands", on_delete="clear", embed="bands"))
    sequel_id: Mapped[int | None] = field(Ref("concerts"), listed=False)
    secret_id: Mapped[int | None] = field(Ref("venues", on_delete="clear"), public=False)


CALLS: list[int] = []
"""The numbers of items for which a batch was computed together."""


def count_bands(session: Session, ids: Sequence[int]) -> dict[int, int]:
    """Return the number of published bands of venues."""
    CALLS.append(len(ids))
    counted = select(Band.venue_id, func.count()).where(Band.venue_id.in_(ids), Band.published)
    return {row[0]: row[1] for row in session.execute(counted.group_by(Band.venue_id))}


def name_venues(session: Session, ids: Sequence[int]) -> dict[int, str]:
    """Return the titles of the published venues of bands."""
    CALLS.append(len(ids))
    joined = select(Band.id, Venue.title).join(Venue, Venue.id == Band.venue_id)
    rows = session.execute(joined.where(Band.id.in_(ids), Venue.published))
    return {row[0]: row[1] for row in rows}


VENUES = ContentType(
    name="venues",
    label="Venue",
    model=Venue,
    computed={
        "bandCount": Computed(Nullable(Int()).described("The bands."), batch=count_bands),
        "secretCount": Computed(Nullable(Int()), batch=count_bands, public=False),
        "titleLength": Computed(Int(), expression=lambda table: func.length(table.c.title)),
    },
)
CONCERTS = ContentType(name="concerts", label="Concert", model=Concert)
BANDS = Resource(
    name="bands",
    label="Band",
    model=Band,
    area="venues",
    public=PublicRoutes(),
    filters=("name",),
    trash=True,
    computed={
        "venueTitle": Computed(Nullable(Str()).described("Its venue."), batch=name_venues),
        "isShort": Computed(Bool(), expression=lambda table: func.length(table.c.name) < 4),
        "loudName": Computed(
            Str(), expression=lambda table: func.upper(table.c.name), listed=False
        ),
        "isHidden": Computed(Bool(), expression=lambda table: ~table.c.published, public=False),
    },
)


class Venues:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [VENUES]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [BANDS]


class Concerts:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [CONCERTS]


VENUES_PLUGIN = Plugin("venues", hooks=(Venues(),), base=VenueBase)
CONCERTS_PLUGIN = Plugin("concerts", hooks=(Concerts(),), base=ConcertBase)


@pytest.fixture
def plugins() -> Sequence[Plugin]:
    return [VENUES_PLUGIN, CONCERTS_PLUGIN]


@pytest.fixture
def calls() -> list[int]:
    """The numbers of items for which a batch was computed together, from now on."""
    CALLS.clear()
    return CALLS


@pytest.fixture
def concerts_type() -> ContentType:
    return CONCERTS


@pytest.fixture
def lose(instance: Instance) -> Callable[[int], None]:
    """Delete a venue behind the back of the references to it."""

    def run(venue_id: int) -> None:
        with instance.database.transaction() as session:
            session.execute(delete(Venue).where(Venue.id == venue_id))

    return run


@pytest.fixture
def venues(app: Client) -> Desk:
    return Desk(app, "venues").as_role("admin")


@pytest.fixture
def concerts(app: Client) -> Desk:
    return Desk(app, "concerts").as_role("admin")


@pytest.fixture
def admin(app: Client) -> Client:
    return app.as_role("admin")


@pytest.fixture
def make_band(admin: Client) -> Any:
    def make(name: str, **values: Any) -> Any:
        body = {"name": name, "published": True, **values}
        return admin.post_json("/api/staff/bands", body).json

    return make
