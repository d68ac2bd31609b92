"""The states that streams compare: unread notifications, watched items and types, presence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Select, String, cast, func, literal, null, select, union_all

from masthead.auth.caller import Caller
from masthead.instance import Instance
from masthead.notifications.models import Notification
from masthead.presence.services import present_users


class LiveEvent(StrEnum):
    """The events of a stream."""

    NOTIFICATIONS = "notifications"
    """The number of the user's unread notifications has changed."""
    CHANGED = "changed"
    """A watched item, or something in a watched content type, has changed."""
    PRESENCE = "presence"
    """Other users have opened or left a watched item."""


Item = tuple[str, int]
"""The name of a content type or resource, and the id of an item."""
State = tuple[Any, ...]


@dataclass(frozen=True)
class Wanted:
    """The user, the items and the content types of a stream."""

    user_id: int
    items: frozenset[Item] = frozenset()
    types: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Snapshot:
    """The states that a database had at one moment."""

    notifications: Mapping[int, State]
    """By the user: the number of unread notifications, and the id of the latest of them."""
    items: Mapping[Item, State]
    """The revision, and the approval status if there is one."""
    types: Mapping[str, State]
    present: Mapping[Item, State]
    """The users who have an item open, each with the id first and whether they edit last."""

    def of(
        self, wanted: Wanted, caller: Caller, permissions: Mapping[str, str]
    ) -> dict[str, tuple[LiveEvent, dict[str, Any], State]]:
        """Return the event, its data and the state of each thing that a caller wants and may read.

        :param permissions: the permissions to read content types and resources, by name.
        """
        unread, latest = state = self.notifications.get(wanted.user_id, (0, None))
        told: dict[str, Any] = {"unread": unread, "latest": latest}
        found = {LiveEvent.NOTIFICATIONS.value: (LiveEvent.NOTIFICATIONS, told, state)}
        for name, item_id in sorted(wanted.items):
            revision, status = state = (
                self.items.get((name, item_id), (None, None))
                if caller.may(permissions[name])
                else (None, None)
            )
            data = {
                "contentType": name,
                "id": item_id,
                "etag": None if revision is None else str(revision),
                "approvalStatus": status,
            }
            found[f"{name}:{item_id}"] = (LiveEvent.CHANGED, data, state)
            if revision is not None:
                others = self._others((name, item_id), wanted.user_id)
                found[f"presence:{name}:{item_id}"] = (LiveEvent.PRESENCE, *others)
        for name in sorted(wanted.types):
            if caller.may(permissions[name]):
                data = {"contentType": name, "id": None, "etag": None, "approvalStatus": None}
                found[name] = (LiveEvent.CHANGED, data, self.types[name])
        return found

    def _others(self, item: Item, user_id: int) -> tuple[dict[str, Any], State]:
        """Return the data and the state of the other users who have an item open."""
        state = tuple(each for each in self.present.get(item, ()) if each[0] != user_id)
        others = [
            {"user": {"id": own, "username": username, "displayName": name}, "editing": editing}
            for own, username, name, editing in state
        ]
        return {"contentType": item[0], "id": item[1], "others": others}, state


class States:
    """Reads the states of an instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        kinds: dict[str, Any] = {**instance.resources, **instance.content_types}
        named = [name for name, resource in instance.resources.items() if resource.named]
        self._tables = {
            name: kind.model.__table__ for name, kind in kinds.items() if name not in named
        }
        self.permissions = {name: kind.read_permission for name, kind in kinds.items()}
        """The permission to read each content type and resource, by name."""
        self.items = frozenset(self._tables)
        """The names of the content types and resources whose items can be watched."""
        self.types = frozenset(instance.content_types)
        """The names of the content types that can be watched."""

    def read(self, connection: Connection, wanted: Iterable[Wanted]) -> Snapshot:
        """Return the states of all that is wanted, in at most four statements."""
        users, types, ids = set[int](), set[str](), defaultdict[str, set[int]](set)
        for each in wanted:
            users.add(each.user_id)
            types |= each.types
            for name, item_id in each.items:
                ids[name].add(item_id)
        unread = _rows(connection, [_unread(users)])
        items = _rows(connection, [self._items(name, ids[name]) for name in sorted(ids)])
        of_types = _rows(connection, [self._type(name) for name in sorted(types)])
        return Snapshot(
            {user_id: (number, latest) for user_id, number, latest in unread},
            {(name, item_id): (*state,) for name, item_id, *state in items},
            {name: tuple(state) for name, *state in of_types},
            present_users(self._instance, connection, ids),
        )

    def _items(self, name: str, ids: set[int]) -> Select[Any]:
        table = self._tables[name]
        status = table.c.approval_status if "approval_status" in table.c else null()
        found = select(literal(name), table.c.id, table.c.revision, cast(status, String))
        return found.where(table.c.id.in_(sorted(ids)))

    def _type(self, name: str) -> Select[Any]:
        """Return the statement that reads the number of items and the last change of a type."""
        table = self._tables[name]
        pending = select(func.count()).where(table.c.approval_status == "pending")
        return select(
            literal(name),
            select(func.count()).select_from(table).scalar_subquery(),
            select(cast(func.max(table.c.updated_at), String)).scalar_subquery(),
            pending.scalar_subquery(),
        )


def _unread(users: set[int]) -> Any:
    mine = Notification.user_id.in_(sorted(users))
    found = select(Notification.user_id, func.count(), func.max(Notification.id))
    return found.where(mine, Notification.read_at.is_(None)).group_by(Notification.user_id)


def _rows(connection: Connection, statements: list[Select[Any]]) -> list[Any]:
    return list(connection.execute(union_all(*statements)).all()) if statements else []
