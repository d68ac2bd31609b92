"""No answer and no notification shows text of another area than those that the caller may read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import repeat
from typing import Any

import pytest
from PIL import Image
from webtest.forms import Upload

from masthead import Approvable, Email, Endpoint, Html, Instance, Int, ListOf, Nullable, Url
from masthead.auth.models import Role
from masthead.http.permissions import ADMIN, PUBLIC, SIGNED_IN
from masthead.resources.forms import HONEYPOT
from masthead.schemas.field_types import FieldType
from masthead.testing import Client
from tests.authorisation.conftest import MAKERS, Makers, sample

ADA = "ada@example.org"
CANARY = re.compile(r"qz\d+zq")
FORMS = {
    "/api/contact": "messages.read",
    "/api/ycs/submit-action": "proposals.read",
    "/api/newsletter/subscribe": "email.addresses",
}
"""The forms of visitors, with the permission that reading what they send needs."""
PATHS = {"/api/staff/contacts/{id}/progression": "contacts.read"}
"""The permission to read items that aren't listed at the address that creates them."""
SENT = {"ids": [1], "operation": "unpublish", "scheduledUnpublishAt": None}
"""Values of the bodies of changes that don't follow from their types."""
MORE: dict[str, dict[str, Any]] = {
    "/api/staff/navigation": {"path": "/a", "customPageId": None, "parentId": None},
    "/api/staff/webhooks": {"url": "https://127.0.0.1:1/", "contentTypes": []},
}
"""Values of new items that don't follow from their types, by address."""


def filled(kind: FieldType, words: Iterator[str], image: str) -> Any:
    """Return a value of a type with a word in each text, and the image in each address."""
    inner = kind.inner if isinstance(kind, Nullable) else kind
    if isinstance(inner, ListOf) and isinstance(inner.inner, Int):
        # Items with these ids may not exist yet.
        return []
    own: Makers = {
        Email: lambda: ADA,
        Url: lambda: image,
        Html: lambda: f'<p>{next(words)}</p><img src="{image}" alt="">',
        FieldType: lambda: next(words),
    }
    return sample(kind, {**MAKERS, **own})


@dataclass
class Planted:
    """The canaries of an instance, and the permission that reading each needs."""

    image: str
    permissions: dict[str, str] = field(default_factory=dict)

    def body(self, endpoint: Endpoint, permission: str, *, least: bool) -> dict[str, Any]:
        """Return a body with a canary in each text.

        :param least: whether to fill only the fields that have to be sent.
        """
        nodes = [
            n
            for n in endpoint.body or ()
            # A letter needs HTML or MJML, so that neither is required; a word isn't MJML.
            if (n.required or not least or n.name == "html_content")
            and n.name != HONEYPOT
            and not n.name.startswith("mjml_")
        ]
        words = self._words(permission)
        body = {node.name: filled(node.typ, words, self.image) for node in nodes}
        if "html_wrapper" in body:
            body["html_wrapper"] += "<p>{{content}}</p>"
        # It has to be later than the time at which an item appears.
        body |= dict.fromkeys({"scheduledUnpublishAt"} & body.keys())
        return body | MORE.get(endpoint.path, {})

    def foreign(self, text: str, held: set[str]) -> set[str]:
        """Return the permissions that a text needs and a caller lacks."""
        needed = {self.permissions[each] for each in CANARY.findall(text)}
        return needed - held - {_reading(each) for each in held}

    def _words(self, permission: str) -> Iterator[str]:
        while True:
            word = f"qz{len(self.permissions)}zq"
            self.permissions[word] = permission
            yield word


def _reading(permission: str) -> str:
    """Return the permission to read the same area; answers to writers show the item."""
    return re.sub(r"\.write$", ".read", permission)


@pytest.fixture
def callers(
    app: Client,
    make_role: Callable[..., Role],
    grantable: Sequence[str],
    approvables: Sequence[Approvable],
) -> dict[str, tuple[set[str], Client]]:
    """Return callers with one permission, with an area's two, and with one approval power."""
    held = {f"only {name}": {name} for name in grantable}
    for area in {name.partition(".")[0] for name in grantable}:
        held[f"all of {area}"] = {f"{area}.read", f"{area}.write"}
    for kind in approvables:
        held[f"approver of {kind.name}"] = set()
    made = {name: make_role(name, *permissions) for name, permissions in held.items()}
    for kind in approvables:
        name = f"approver of {kind.name}"
        body = {"contentType": kind.name, "roleId": made[name].id}
        app.as_role("admin").post_json("/api/staff/approval-config", body)
        held[name] = {kind.read_permission}
    return {name: (permissions, app.as_role(name)) for name, permissions in held.items()}


@pytest.fixture
def planted(
    app: Client, instance: Instance, callers: Any, endpoints: Sequence[Endpoint]
) -> Planted:
    """Fill every kind of item with texts of its own, each about the same person and image."""
    assert callers, "They exist first, so that they are notified"
    admin = app.as_role("admin")
    made = Planted(_upload(admin))
    reading = {e.path: e.permission for e in endpoints if e.method == "GET"} | PATHS
    waiting = [
        (endpoint, permission)
        for endpoint in sorted(endpoints, key=lambda e: e.path)
        if (permission := _readable_by(endpoint, reading))
    ]
    # Some items refer to others, so they are created in the second round.
    for _ in range(2):
        waiting = [each for each in waiting if not _plant(admin, made, *each)]
    assert waiting == []
    _send_once(admin)
    for kind in instance.content_types.values():
        item = {"contentType": kind.name, "contentId": 1}
        admin.post_json("/api/staff/approval/request", item)
    return made


def _send_once(admin: Client) -> None:
    """Send an e-mail to the person, whose address is suppressed before and afterwards."""
    path = "/api/staff/email/suppressions"
    [suppressed] = admin.get(path).json
    admin.delete(f"{path}/{ADA}")
    admin.post("/api/staff/compose-emails/1/send")
    admin.post_json(path, {"email": ADA, "reason": suppressed["reason"]})


def _readable_by(endpoint: Endpoint, reading: Mapping[str, str]) -> str:
    """Return the permission to read what an endpoint creates; blank if it creates no text."""
    if endpoint.method != "POST" or endpoint.body is None or endpoint.upload is not None:
        return ""
    if endpoint.permission == PUBLIC:
        return FORMS.get(endpoint.path, "")
    found = reading.get(endpoint.path, "")
    return "" if found in (ADMIN, SIGNED_IN) else found


def _plant(admin: Client, planted: Planted, endpoint: Endpoint, permission: str) -> bool:
    """Create an item, with all its fields if possible; return whether that succeeded."""
    path = endpoint.path.replace("{id}", "1")
    bodies = [planted.body(endpoint, permission, least=least) for least in (False, True)]
    return any(admin.post_json(path, body, status="*").status_int == 200 for body in bodies)


def _upload(admin: Client) -> str:
    file = BytesIO()
    Image.new("RGB", (8, 8), "red").save(file, "PNG")
    sent = {"file": Upload("a.png", file.getvalue(), "image/png")}
    return str(admin.post("/api/staff/upload/image", sent).json["url"])


def _answers(client: Client, endpoint: Endpoint, planted: Planted) -> Iterator[str]:
    """Yield the answers to an effective request and to one that names no item."""
    for number in ("1", "999"):
        path = re.sub(r"{(id|\w+_id)}", number, endpoint.path)
        path = re.sub(r"{prefix}/{filename}", planted.image.removeprefix("/api/images/"), path)
        path = re.sub(r"{\w+}", "qz", path)
        call: Any = getattr(client, endpoint.method.lower())
        if endpoint.body is not None and endpoint.upload is None:
            call = getattr(client, f"{endpoint.method.lower()}_json")
            answer = call(path, _effective(endpoint), status="*")
        else:
            answer = call(path, status="*")
        yield f"{answer.headers}\n{answer.text if answer.content_type != 'image/png' else ''}"


def _effective(endpoint: Endpoint) -> dict[str, Any]:
    """Return a body that changes as little as possible."""
    own = {n.name: filled(n.typ, repeat("own"), "/a") for n in endpoint.body or () if n.required}
    return own | {name: value for name, value in SENT.items() if name in own}


ORDER = {"GET": 0, "POST": 1, "PUT": 2, "DELETE": 3}


@pytest.mark.exhaustive
def test_no_answer_shows_text_that_the_caller_may_not_read(
    callers: dict[str, tuple[set[str], Client]],
    planted: Planted,
    endpoints: Sequence[Endpoint],
    app: Client,
) -> None:
    public = "".join(
        answer
        for endpoint in endpoints
        if endpoint.permission == PUBLIC and endpoint.method == "GET"
        for answer in _answers(app, endpoint, planted)
    )
    for word in CANARY.findall(public):
        planted.permissions[word] = PUBLIC
    shown: dict[str, set[str]] = {}
    # An image is deleted before the items that use it.
    ordered = sorted(endpoints, key=lambda e: (ORDER[e.method], "{prefix}" not in e.path))
    for endpoint in ordered:
        for name, (held, client) in callers.items():
            if set(endpoint.permissions) <= held:
                text = "".join(_answers(client, endpoint, planted))
                foreign = planted.foreign(text, held | {PUBLIC})
                if foreign:
                    shown[f"{endpoint.name} as {name}"] = foreign
    assert shown == {}


def test_an_administrator_is_shown_texts_of_every_area(
    app: Client, planted: Planted, endpoints: Sequence[Endpoint]
) -> None:
    admin = app.as_role("admin")
    texts = {
        endpoint.name: "".join(_answers(admin, endpoint, planted))
        for endpoint in endpoints
        if endpoint.method == "GET" or endpoint.name == "staff.images.delete"
    }

    seen = {name: planted.foreign(text, set()) for name, text in texts.items()}
    assert set.union(*seen.values()) == set(planted.permissions.values())
    # These show texts of many areas, so that leaving them out is tested.
    assert len(seen["staff.images.delete"]) > 5
    assert len(seen["staff.contacts.export"]) > 3
    assert len(seen["staff.contacts.show"]) == 2
