"""An image is kept if any field of a staff body that takes an address or HTML uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import count
from typing import Any

import pytest
from PIL import Image
from webtest.forms import Upload

from masthead import (
    Email,
    Endpoint,
    Html,
    Instance,
    ListOf,
    Nullable,
    Object,
    Timestamp,
    Url,
)
from masthead.schemas.field_types import FieldType
from masthead.testing import Client

Put = Callable[[str], Any]
MORE: Mapping[str, dict[str, Any]] = {
    "/api/staff/navigation": {"label": "A", "path": "/a"},
    "/api/staff/compose-emails": {
        "recipient_emails": ["ada@example.org"],
        "html_content": "<p>Hi</p>",
    },
    "/api/staff/newsletters": {"html_content": "<p>Hi</p>"},
    "/api/staff/email-templates": {"html_content": "<p>Hi</p>"},
}
"""Further values that a new item needs besides its required fields, by address."""
JUDGED_LATER = ("/api/staff/navigation", "path")
"""An address whose body takes any text, because it may be a slug."""
NOT_SHOWN = "/api/staff/webhooks"
"""An address whose items have addresses of other programs, which nobody sees as images."""
PREVIEW = "/preview"
"""The end of the addresses that store nothing."""
WRAPPER = "html_wrapper"
"""The field whose value needs a place for content."""
SAMPLES: Mapping[type[FieldType], Any] = {
    Email: "someone@example.test",
    Html: "<p>Text</p>",
    Timestamp: "2036-01-01T00:00:00.000Z",
}
"""Values by field type; all other types take text."""
NUMBERS = count(1)


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("admin")


@pytest.fixture
def upload(staff: Client) -> Callable[[], Any]:
    """Return a function that uploads a new image."""

    def send() -> Any:
        file = BytesIO()
        Image.new("RGB", (8, 8), f"#{next(NUMBERS):06x}").save(file, "PNG")
        sent = {"file": Upload("a.png", file.getvalue(), "image/png")}
        return staff.post("/api/staff/upload/image", sent).json

    return send


def test_an_image_is_kept_wherever_it_is_used(
    instance: Instance, staff: Client, upload: Callable[[], Any]
) -> None:
    tried = []
    for endpoint, name, put in named_places(instance):
        image = upload()

        save(staff, instance, endpoint, {name: put(image["url"])})

        refused = staff.delete(f"/api/staff/images/{image['key']}", status="*")
        assert refused.status_int == 400, f"{endpoint.name}: {name}"
        assert refused.json["error"].startswith("The image is used: ")
        tried.append(endpoint.path)
    assert {"/api/staff/about", "/api/staff/navigation", "/api/staff/news/{id}"} <= set(tried)


def named_places(instance: Instance) -> Iterator[tuple[Endpoint, str, Put]]:
    """Return the fields of bodies with addresses or HTML, with functions that make their values."""
    for endpoint in instance.endpoints:
        stores = not endpoint.path.startswith(NOT_SHOWN) and not endpoint.path.endswith(PREVIEW)
        for node in endpoint.body or () if stores else ():
            is_url = endpoint.path.startswith(JUDGED_LATER[0]) and node.name == JUDGED_LATER[1]
            for put in places(Url() if is_url else node.typ):
                yield endpoint, node.name, in_wrapper(put) if node.name == WRAPPER else put


def places(kind: FieldType) -> Iterator[Put]:
    """Yield a function that makes a value with an address, for each place of a type."""
    if isinstance(kind, Nullable):
        yield from places(kind.inner)
    elif isinstance(kind, Url):
        yield lambda address: address
    elif isinstance(kind, Html):
        yield lambda address: f'<p><img src="{address}" alt=""></p>'
    elif isinstance(kind, ListOf):
        yield from map(in_list, places(kind.inner))
    elif isinstance(kind, Object):
        for node in kind.node:
            others = [each for each in kind.node if each.required and each.name != node.name]
            yield from (in_object(node.name, put, others) for put in places(node.typ))


def in_wrapper(put: Put) -> Put:
    return lambda address: f"{{{{content}}}}{put(address)}"


def in_list(put: Put) -> Put:
    return lambda address: [put(address)]


def in_object(name: str, put: Put, others: Iterable[Any]) -> Put:
    needed = {each.name: sample(each.typ) for each in others}
    return lambda address: {**needed, name: put(address)}


def save(staff: Client, instance: Instance, endpoint: Endpoint, values: Mapping[str, Any]) -> None:
    """Send values to an endpoint: as a new item, or as a change of a new item."""
    many, _, last = endpoint.path.rpartition("/")
    if endpoint.method == "POST":
        staff.post_json(endpoint.path, {**usual(endpoint), **values})
    elif last.startswith("{"):
        [make] = [e for e in instance.endpoints if e.path == many and e.method == "POST"]
        made = staff.post_json(many, usual(make)).json
        staff.put_json(f"{many}/{made['id']}", values)
    else:
        staff.put_json(endpoint.path, values)


def usual(endpoint: Endpoint) -> dict[str, Any]:
    """Return a body that creates an item."""
    needed = {n.name: sample(n.typ) for n in endpoint.body or () if n.required}
    return needed | MORE.get(endpoint.path, {})


def sample(kind: FieldType) -> Any:
    """Return a valid value of a type; texts differ each time."""
    return SAMPLES.get(type(kind), f"text-{next(NUMBERS)}")
