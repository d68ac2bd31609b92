"""A resource with a required reference, a rule of its own, and a form for visitors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    PUBLIC,
    RECEIVED,
    Email,
    Endpoint,
    ItemSave,
    Line,
    Plugin,
    Ref,
    Refused,
    Request,
    Resource,
    ResourceItem,
    check_submission,
    create_item,
    endpoint,
    field,
    form,
    hookimpl,
    plugin_metadata,
    required,
    schema,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Client, ResourceContract


class Base(DeclarativeBase):
    metadata = plugin_metadata("booking")


class Room(ResourceItem, Base):
    __tablename__ = "booking_room"

    name: Mapped[str] = field(Line(), required=True)


class Booking(ResourceItem, Base):
    __tablename__ = "booking_booking"

    room_id: Mapped[int] = field(Ref("rooms"), required=True)
    email: Mapped[str] = field(Email(), required=True)


def refuse_second(session: Session, save: ItemSave) -> None:
    """Refuse a second booking of a room by the same person."""
    same = Booking.room_id == save.after["roomId"], Booking.email == save.after["email"]
    own = save.item.id if save.item is not None else 0
    if session.scalar(select(Booking.id).where(*same, Booking.id != own)):
        raise Refused("Booked already")


ROOMS = Resource(name="rooms", label="Room", model=Room, area="booking")
BOOKINGS = Resource(
    name="bookings",
    label="Booking",
    model=Booking,
    area="booking",
    person="email",
    before_change=refuse_second,
)
BODY = schema({"roomId": required(Ref("rooms")), "email": required(Email())})


@endpoint(
    "POST",
    "/api/rooms/book",
    name="booking.book",
    permission=PUBLIC,
    body=form(BODY),
    returns=RECEIVED,
)
def book(request: Request) -> dict[str, Any]:
    """Book a room."""
    booking = create_item(request.db, BOOKINGS, check_submission(request, "bookings"), None)
    return {"success": True, "message": f"Your booking has the number {booking.id}"}


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [ROOMS, BOOKINGS]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return [book]


PLUGIN = Plugin(name="booking", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> Sequence[Plugin]:
    return [core, PLUGIN]


class TestBookings(ResourceContract):
    resource = BOOKINGS


def test_a_plugin_creates_an_item_with_the_checks_of_a_request(app: Client) -> None:
    admin = app.as_role("admin")
    room = admin.post_json("/api/staff/rooms", {"name": "Hall"}).json["id"]
    body = {"roomId": room, "email": "ada@example.org"}

    answer = app.post_json("/api/rooms/book", body)
    again = app.post_json("/api/rooms/book", body, status=400)
    missing = app.post_json("/api/rooms/book", body | {"roomId": 99}, status=400)

    [booking] = admin.get("/api/staff/bookings").json
    assert (booking["roomId"], booking["email"]) == (room, "ada@example.org")
    assert answer.json["message"] == f"Your booking has the number {booking['id']}"
    assert again.json["error"] == "Booked already"
    assert missing.json["fields"][0]["code"] == "unknown_id"
