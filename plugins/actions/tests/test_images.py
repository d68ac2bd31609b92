"""The images of an accepted proposal are copied to those of staff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from masthead import Caller, Instance, Plugin, hookimpl
from masthead.testing import Client, Desk
from masthead_actions.plugin import plugin as actions

SENT, KEPT = "/api/store/sent/", "/api/store/kept/"
FOREIGN = "https://example.org/b.png"
PROPOSAL = {
    "title": "A café for repairs",
    "description": "Once a month",
    "contactName": "Ada",
    "contactEmail": "ada@example.org",
}


class ImageStore:
    """A plugin that stores images, those of visitors apart."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @hookimpl
    def masthead_copy_images(
        self, instance: Instance, addresses: Sequence[str], caller: Caller
    ) -> Mapping[str, str]:
        assert instance.database
        self.asked.append(caller.username)
        return {a: a.replace(SENT, KEPT) for a in addresses if a.startswith(SENT)}


STORE = ImageStore()


@pytest.fixture
def store() -> ImageStore:
    """The same object in each test, with a new state, so that tests share an instance."""
    STORE.__init__()
    return STORE


@pytest.fixture
def plugins(store: ImageStore) -> list[Plugin]:
    return [actions, Plugin(name="store", hooks=(store,))]


def propose(app: Client, **values: object) -> int:
    return int(app.post_json("/api/ycs/submit-action", {**PROPOSAL, **values}).json["id"])


def accept(client: Client, proposal: int, status: int = 200) -> int:
    path = f"/api/staff/action-proposals/{proposal}/accept"
    return int(client.post(path, status=status).json.get("id", 0))


def test_hook_copy_images_gives_the_action_addresses_that_last(
    app: Client, desk: Desk, store: ImageStore
) -> None:
    content = f'<p><img src="{SENT}2.png"><img src="{FOREIGN}"></p>'
    proposal = propose(app, imageUrls=[f"{SENT}1.png", FOREIGN], content=content)

    action = desk.show(accept(app.as_role("editor"), proposal))

    assert action["coverImageUrl"] == f"{KEPT}1.png"
    assert f'src="{KEPT}2.png"' in action["content"]
    assert f'src="{FOREIGN}"' in action["content"]
    assert len(store.asked) == 1


def test_images_and_link_targets_in_the_content_are_copied(app: Client, desk: Desk) -> None:
    content = (
        '<p><a href="{0}1.png"><img src="{0}2.png" srcset="{0}3.png 1x, {0}4.png?a&amp;b 2x"></a>'
        '<video poster="{0}5.png" src="{0}6.mp4"></video>{0}7.png '
        '<a href="https://example.org{0}8.png">x</a></p>'
    )
    proposal = propose(app, content=content.format(SENT))

    action = desk.show(accept(app.as_role("editor"), proposal))

    sent = app.as_role("editor").get(f"/api/staff/action-proposals/{proposal}").json["content"]
    assert sent.count(SENT) == 8
    for number in range(1, 7):
        sent = sent.replace(f"{SENT}{number}", f"{KEPT}{number}")
    assert action["content"] == sent


def test_nothing_is_copied_without_images_or_before_acceptance(
    app: Client, desk: Desk, store: ImageStore
) -> None:
    staff = app.as_role("editor")
    accept(staff, propose(app))
    accept(staff, 999, status=404)
    proposal = propose(app, imageUrls=[FOREIGN])
    assert store.asked == []

    assert desk.show(accept(staff, proposal))["coverImageUrl"] == FOREIGN
    accept(staff, proposal, status=400)
    assert len(store.asked) == 1
