"""The endpoints of the change log."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from masthead.changes.models import Change
from masthead.changes.reading import complete_log, read_changes
from masthead.changes.schemas import DEFAULT, answer, query
from masthead.content.public_changes import public_kinds
from masthead.errors import Forbidden
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.http.request import Request
from masthead.instance import Instance

_GONE = frozenset({410})


def change_endpoints(instance: Instance) -> list[Endpoint]:
    """Return the endpoints for the public and for staff, if there is a kind with public items."""
    areas = {it.name: it.read_permission for it in public_kinds(instance)}
    names = list(areas)
    if not names:
        return []
    return [
        Endpoint(
            name="changes.list",
            method="GET",
            path="/api/changes",
            view=partial(list_public, names),
            permission=PUBLIC,
            summary="List what became visible, changed, moved or vanished since a cursor",
            description="A website or an app asks again and again with the last cursor and stays"
            " complete: no change is missed or repeated.",
            query=query(names),
            returns=answer(names, staff=False),
            keep=False,
            refuses=_GONE,
        ),
        Endpoint(
            name="staff.changes.list",
            method="GET",
            path="/api/staff/changes",
            view=partial(list_for_staff, areas),
            permission=SIGNED_IN,
            summary="List the changes of all items, also of drafts, since a cursor",
            description="It lists changes of the kinds that the caller may read.",
            query=query(names),
            returns=answer(names, staff=True),
            refuses=_GONE | {403},
        ),
    ]


def list_public(names: Collection[str], request: Request) -> dict[str, Any]:
    """Return the changes that the public sees."""
    return _list(request, names, public=True)


def list_for_staff(areas: Mapping[str, str], request: Request) -> dict[str, Any]:
    """Return the changes of the content types and resources that the caller may read."""
    allowed = {name for name, permission in areas.items() if request.identity.may(permission)}
    if not allowed.issuperset(request.query.get("types", ())):
        raise Forbidden
    return _list(request, allowed, public=False)


def _list(request: Request, names: Collection[str], *, public: bool) -> dict[str, Any]:
    wanted = request.query
    complete_log(request.instance)
    found = read_changes(
        request.db,
        wanted.get("since"),
        wanted.get("limit", DEFAULT),
        wanted.get("types") or names,
        public=public,
    )
    changes = [_described(each, public=public) for each in found.changes]
    return {"changes": changes, "cursor": found.cursor, "more": found.more}


def _described(change: Change, *, public: bool) -> dict[str, Any]:
    kinds = (
        {"change": change.public_change}
        if public
        else {"change": change.change, "publicChange": change.public_change}
    )
    return {
        **kinds,
        "contentType": change.content_type,
        "id": change.item_id,
        "slug": change.slug,
        "formerSlug": change.former_slug,
        "at": change.at,
    }
