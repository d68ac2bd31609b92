"""References are checked by each way of writing, and read only as far as the public sees them."""

from __future__ import annotations

from typing import Any

from masthead.testing import Client, Desk


def test_smoke(venues: Desk, concerts: Desk, make_band: Any, admin: Client) -> None:
    hall = venues.create_public(title="Hall")
    draft = venues.create(title="Draft hall")
    one, two = make_band("One"), make_band("Two", published=False)
    print(concerts.create(title="C", venueId=99, status=400))
    print(concerts.create(title="C", bandIds=[one["id"], 77, 78], status=400))
    c = concerts.create_public(title="C", venueId=hall["id"], bandIds=[two["id"], one["id"]])
    print(c)
    print(concerts.public_list(), concerts.public_item(c["slug"]))
    print(concerts.public_list(embed="venue,band"))
    print(concerts.public_list(venueId=hall["id"]), concerts.public_list(venueId=draft["id"]))
    print(concerts.list(bandIds=two["id"]))
    print(venues.delete(hall["id"], status=400))
    print(venues.bulk("delete", [hall["id"], draft["id"]]))
    admin.delete(f"/api/staff/bands/{one['id']}")
    print(concerts.show(c["id"]))
