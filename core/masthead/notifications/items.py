"""The items that notifications are about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, String, cast, literal, null, select, union_all
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.instance import Instance, instance_of
from masthead.notifications.models import Notification
from masthead.resources.declaration import Resource
from masthead.resources.options import SHOW

_TITLES = ("title", "name", "subject")
"""The fields that can name an item of a resource, the best one first."""
Key = tuple[str | None, int | None]


@dataclass(frozen=True)
class _Kind:
    """A content type or a resource."""

    table: Any
    titles: ColumnElement[Any]
    read_permission: str
    path: str | None
    """The path of its items for staff; None if they have none."""


class Kinds:
    """The content types and resources of an instance whose items have a number."""

    def __init__(self, instance: Instance) -> None:
        self.by_name = {
            name: _Kind(
                resource.model.__table__,
                _titles(resource),
                resource.read_permission,
                f"/api/staff/{resource.path}" if SHOW in resource.operations else None,
            )
            for name, resource in instance.resources.items()
            if not resource.named
        }
        self.by_name |= {
            name: _Kind(
                kind.model.__table__,
                kind.shown_titles(),
                kind.read_permission,
                f"/api/staff/{name}",
            )
            for name, kind in instance.content_types.items()
        }


def _titles(resource: Resource) -> ColumnElement[Any]:
    named = (resource.columns[name] for name in _TITLES if name in resource.columns)
    return next(named, null())


def items_of(
    session: Session, notifications: Iterable[Notification], caller: Caller
) -> Mapping[Key, dict[str, Any]]:
    """Return the items of notifications by type and id, as far as the caller may read them.

    The title is the present one. Items that are gone are left out.
    """
    kinds = instance_of(session).shared(Kinds).by_name
    wanted = defaultdict[str, set[int]](set)
    for each in notifications:
        kind = kinds.get(each.content_type or "")
        if kind is not None and each.content_id is not None and caller.may(kind.read_permission):
            wanted[str(each.content_type)].add(each.content_id)
    if not wanted:
        return {}
    rows = (
        select(
            literal(name).label("name"),
            kinds[name].table.c.id.label("id"),
            cast(kinds[name].titles, String).label("title"),
        ).where(kinds[name].table.c.id.in_(sorted(ids)))
        for name, ids in sorted(wanted.items())
    )
    found = session.execute(union_all(*rows)).all()
    return {(row.name, row.id): _describe(row, kinds[row.name].path) for row in found}


def _describe(row: Any, path: str | None) -> dict[str, Any]:
    return {
        "contentType": row.name,
        "id": row.id,
        "title": row.title,
        "path": None if path is None else f"{path}/{row.id}",
    }
