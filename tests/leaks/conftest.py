"""An instance with all installed plugins, with published and hidden content."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    Approvable,
    Bool,
    Choice,
    ContentItem,
    ContentType,
    Email,
    Enclosure,
    Endpoint,
    Feed,
    Html,
    Instance,
    Int,
    LanguageTag,
    Nullable,
    Plugin,
    Slug,
    Str,
    Timestamp,
    Url,
    User,
    content_types_of,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.http.permissions import PUBLIC
from masthead.plugins import installed
from masthead.testing import Client, Desk
from tests.leaks.addresses import CANARY, NUMBER, paths_of, queries_of

SLUGS = itertools.count(1)
MOMENT = "2036-07-07T07:07:07.707Z"
NEEDLES = (CANARY, str(NUMBER), "07:07:07", "T070707", "2036-07-07", "20360707", "Jul 2036")
"""Texts of which each field of hidden content has one, and no public answer may have any."""
SOON, LATER = "2026-03-02T08:00:00.000Z", "2036-01-01T00:00:00.000Z"
EARLIER = "2020-01-01T00:00:00.000Z"


class Base(DeclarativeBase):
    metadata = plugin_metadata("toys")


class Toy(ContentItem, Base):
    """An item with a field of every type."""

    __tablename__ = "toys_toy"
    __table_args__ = {"sqlite_autoincrement": True}

    maker: Mapped[str | None] = field(Str())
    photo: Mapped[str | None] = field(Url())
    contact: Mapped[str | None] = field(Email())
    manual: Mapped[str | None] = field(Html())
    pieces: Mapped[int | None] = field(Int(0))
    fragile: Mapped[bool] = field(Bool(), default=False)
    size: Mapped[str | None] = field(Choice("small", "large"))
    sold_from: Mapped[Any] = field(Timestamp())
    sold_until: Mapped[Any] = field(Timestamp())
    note: Mapped[str | None] = field(Str(), public=False)
    display_order: Mapped[int] = field(Int(), default=0, staged=False)


TOYS = ContentType(
    name="toys",
    label="Toy",
    model=Toy,
    order="displayOrder",
    related_by=("maker",),
    expires="soldUntil",
    public_filters=("maker", "pieces", "fragile", "size", "soldFrom"),
    slug_on_approval=True,
    list_content=True,
    feed=Feed(
        date="soldFrom",
        category="maker",
        image="photo",
        enclosure=Enclosure("photo", "maker", "pieces"),
        lead=("maker", "soldFrom"),
        elements={"toy:contact": "contact", "toy:fragile": "fragile", "toy:size": "size"},
        namespaces={"toy": "urn:toys"},
    ),
)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [TOYS]


PLUGIN = Plugin(name="toys", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [*installed().values(), PLUGIN]


@pytest.fixture
def settings() -> Mapping[str, str]:
    """Limit sitemaps to a few addresses, so that there are several of them."""
    return {"masthead.feeds.sitemap_size": "7"}


@pytest.fixture
def content_types(instance: Instance) -> list[ContentType]:
    return content_types_of(instance)


@pytest.fixture
def public_endpoints(instance: Instance) -> list[Endpoint]:
    """Return the endpoints that everybody may read, of core and all plugins."""
    return [e for e in instance.endpoints if (e.permission, e.method) == (PUBLIC, "GET")]


class Newsroom:
    """One content type, with items in each state.

    :param users: the author of the published items, and the author of the hidden items.
    :param tags: the ids of a tag of all items, and of a tag of the hidden items only.
    """

    def __init__(
        self,
        client: Client,
        users: tuple[User, User],
        content_type: ContentType,
        tags: Sequence[int],
    ) -> None:
        author, ghost = users
        self.content_type = content_type
        self.desk = Desk(client, content_type.name).as_user(ghost)
        self._public_desk = Desk(client, content_type.name).as_user(author)
        self.chief = Desk(client, content_type.name).as_role("admin")
        self._tags = list(tags)
        self.visible: list[Any] = []
        self.hidden: list[Any] = []
        self._staged: list[int] = []

    def show_some(self, *numbers: int) -> None:
        """Publish an item for each number."""
        for number in numbers:
            values = self.visible_values(number)
            item = self._public_desk.create_public(**values, tagIds=self._tags[:1])
            self.visible.append(item)

    def visible_values(self, number: int) -> dict[str, Any]:
        """Return the values of a published item."""
        moment = f"2026-02-0{number}T00:00:00.000Z"
        own = self.content_type.expires
        return self._values("shown", number, moment) | ({own: LATER} if own else {})

    def hidden_values(self, state: str, *, related: bool) -> dict[str, Any]:
        """Return a canary for each field; with ``related``, related_by fields equal public ones."""
        values = self._values(f"{CANARY}{state}", NUMBER, MOMENT) | {"tagIds": self._tags}
        if related:
            shown = self.visible_values(1)
            values |= {name: shown[name] for name in self.content_type.related_by}
        return values

    def edits(self) -> dict[str, Any]:
        """Return a canary for each field whose edits need approval."""
        values = self.hidden_values("staged", related=False)
        free = {f.name for f in self.content_type.fields if not f.staged}
        return {name: value for name, value in values.items() if name not in free}

    def _values(self, mark: str, number: int, moment: str) -> dict[str, Any]:
        fields = {
            f.name: f.kind for f in self.content_type.fields if not f.name.startswith("scheduled")
        }
        return {name: _sample(kind, mark, number, moment) for name, kind in fields.items()}

    def hide_some(self) -> None:
        """Create two items for each way of hiding them, and stage edits of published items."""
        for state in WAYS:
            for related in (False, True):
                self.hide(state, related=related)
        self._stage(self.visible[0])
        self._stage_for_later(self.visible[3])
        self.comment(self.visible[0]["id"])
        self.desk.request(self._stage(self.visible[1]))
        self.desk.request(self._stage(self.visible[2]))
        self.chief.reject(self.visible[2]["id"], reason=CANARY)
        # The hidden items have smaller ids than this item.
        self.show_some(4)

    def hide(self, state: str, *, related: bool = False) -> None:
        """Create an item that is hidden in one way."""
        item_id = WAYS[state](self, self.hidden_values(state, related=related))
        self.comment(item_id)
        shown = self.desk.client.get(self._path(item_id), status="*").json
        self.hidden.append({"slug": None, **shown, "id": item_id})

    def comment(self, item_id: int) -> None:
        """Write a comment beside an item, which nobody but staff may see."""
        path = f"/api/staff/comments/{self.content_type.name}/{item_id}"
        self.desk.client.post_json(path, {"text": f"{CANARY} comment"}, status="*")

    def preview_hidden(self) -> None:
        """Open a preview of each item that is hidden or has staged edits."""
        hidden = [item["id"] for item in self.hidden if "title" in item]
        for item_id in (*hidden, *self._staged):
            assert CANARY in str(self.desk.preview(item_id))

    def remove_hidden(self) -> None:
        """Undo what ``hide_some`` did."""
        for item in self.hidden:
            self.chief.client.delete(self._path(item["id"]), status="*")
        for item_id in self._staged:
            self.desk.drop_staged(item_id)

    def _stage(self, item: Any) -> int:
        self.desk.edit(item["id"], **self.edits())
        self._staged.append(item["id"])
        return int(item["id"])

    def _stage_for_later(self, item: Any) -> None:
        """Stage edits that are approved and go live later."""
        self.desk.edit(item["id"], **self.edits() | {"scheduledPublishAt": LATER})
        self._staged.append(item["id"])
        self.desk.request(item["id"])
        self.chief.approve(item["id"])

    def _path(self, item_id: int) -> str:
        return f"/api/staff/{self.content_type.name}/{item_id}"


def _sample(kind: Any, mark: str, number: int, moment: str) -> Any:
    if isinstance(kind, Nullable):
        return _sample(kind.inner, mark, number, moment)
    if isinstance(kind, Choice):
        return kind.options[0]
    samples = {
        Str: f"{mark} text",
        Html: f"<p>{mark} html</p>",
        Url: f"/{mark}",
        Email: f"{mark}@example.org",
        Int: number,
        Timestamp: moment,
        Bool: True,
        LanguageTag: "de",
        # No two items can have the same one.
        Slug: f"{mark}-{next(SLUGS)}".lower(),
    }
    return next(samples[each] for each in type(kind).__mro__ if each in samples)


def _draft(room: Newsroom, values: Mapping[str, Any]) -> int:
    return int(room.desk.create(**values)["id"])


def _pending(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _draft(room, values)
    room.desk.request(item_id)
    return item_id


def _withdrawn(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _draft(room, values)
    room.desk.request(item_id, comment=CANARY)
    room.desk.withdraw(item_id)
    return item_id


def _rejected(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _pending(room, values)
    room.chief.reject(item_id, reason=CANARY)
    return item_id


def _published(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _pending(room, values)
    room.chief.approve(item_id)
    return item_id


def _unpublished(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _published(room, values)
    room.desk.edit(item_id, published=False)
    return item_id


def _unpublished_with_others(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _published(room, values)
    room.desk.bulk("unpublish", [item_id])
    return item_id


def _unpublished_while_staged(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _published(room, values)
    room.desk.edit(item_id, title=f"{CANARY}staged")
    room.desk.edit(item_id, published=False)
    return item_id


def _unpublished_while_pending(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _published(room, values)
    room.desk.edit(item_id, title=f"{CANARY}pending")
    room.desk.request(item_id)
    room.desk.edit(item_id, published=False)
    room.chief.approve(item_id, status=400)
    return item_id


def _duplicate(room: Newsroom, values: Mapping[str, Any]) -> int:
    return int(room.desk.duplicate(_unpublished(room, values))["id"])


def _scheduled(room: Newsroom, values: Mapping[str, Any]) -> int:
    return _published(room, {**values, "scheduledPublishAt": LATER})


def _postponed(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _published(room, values)
    room.chief.edit(item_id, scheduledPublishAt=LATER)
    return item_id


def _expired(room: Newsroom, values: Mapping[str, Any]) -> int:
    own = room.content_type.expires or "scheduledUnpublishAt"
    return _published(room, {**values, own: EARLIER})


def _hidden_earlier(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _published(room, values)
    room.desk.edit(item_id, scheduledUnpublishAt=EARLIER)
    return item_id


def _deleted(room: Newsroom, values: Mapping[str, Any]) -> int:
    item_id = _published(room, values)
    room.desk.delete(item_id)
    return item_id


WAYS: Mapping[str, Callable[[Newsroom, Mapping[str, Any]], int]] = {
    "draft": _draft,
    "pending": _pending,
    "withdrawn": _withdrawn,
    "rejected": _rejected,
    "unpublished": _unpublished,
    "unpublishedwithothers": _unpublished_with_others,
    "unpublishedwhilestaged": _unpublished_while_staged,
    "unpublishedwhilepending": _unpublished_while_pending,
    "duplicate": _duplicate,
    "scheduled": _scheduled,
    "postponed": _postponed,
    "expired": _expired,
    "hiddenearlier": _hidden_earlier,
    "deleted": _deleted,
}


@pytest.fixture
def newsrooms(
    app: Client, make_user: Callable[..., User], content_types: Sequence[ContentType]
) -> list[Newsroom]:
    """Return a newsroom per content type; the name of the hidden author has a canary, too."""
    admin = app.as_role("admin")
    tags = [
        admin.post_json("/api/staff/tags", {"name": name}).json["id"] for name in ("Water", "Air")
    ]
    users = make_user(display_name="Ada"), make_user("ghost", display_name=f"{CANARY} author")
    rooms = [Newsroom(app, users, each, tags) for each in content_types]
    for room in rooms:
        room.show_some(1, 2, 3, 5)
    return rooms


@pytest.fixture
def addresses(public_endpoints: Sequence[Endpoint]) -> Callable[[Sequence[Newsroom]], list[str]]:
    """Return every public address: each endpoint, with values of the newsrooms, and each query."""

    def find(rooms: Sequence[Newsroom]) -> list[str]:
        items = [item for room in rooms for item in (*room.visible, *room.hidden)]
        ids = {str(item["id"]) for item in items} | {"999"}
        slugs = {item["slug"] for item in items if item["slug"]}
        drafts = {item["title"].replace(" ", "-").lower() for item in items if "title" in item}
        texts = {"nothing", "water", *slugs, *drafts, *(room.content_type.name for room in rooms)}
        return [
            path + query
            for outlet in public_endpoints
            for path in paths_of(outlet.path, sorted(ids), sorted(texts))
            for query in queries_of(outlet)
        ]

    return find
