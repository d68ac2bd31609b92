"""The staff endpoints of the trash."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead.errors import Forbidden
from masthead.http.endpoints import Endpoint
from masthead.http.paging import Page
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.http.revisions import tag_response
from masthead.instance import Instance
from masthead.resources.trashed import KEEP_DAYS, StoredItem, TrashedItem
from masthead.schemas.common import BULK_RESULT
from masthead.schemas.schema import SUCCESS
from masthead.trash import schemas
from masthead.trash.kinds import PURGE, Kind, check_read, may_write, readable, trash_kinds
from masthead.trash.reading import FittingItem, fit_item, get_trashed, list_trash, shown_values
from masthead.trash.services import REVISION, purge, restore, run_bulk

PATH = "/api/staff/trash"
PAGE = 50
"""The default limit of the list."""


def trash_endpoints(instance: Instance) -> list[Endpoint]:
    """Return the endpoints of the trash."""
    one: dict[str, Any] = {"path_help": {"id": schemas.ID_HELP}}
    return [
        Endpoint(
            name="trash.list",
            method="GET",
            path=PATH,
            view=list_items,
            permission=SIGNED_IN,
            query=schemas.list_query(trash_kinds(instance)),
            returns=schemas.TRASH,
            page=PAGE,
            refuses=frozenset({403}),
        ),
        Endpoint(
            name="trash.show",
            method="GET",
            path=PATH + "/{id}",
            view=show,
            permission=SIGNED_IN,
            returns=schemas.TRASHED,
            **one,
        ),
        Endpoint(
            name="trash.restore",
            method="POST",
            path=PATH + "/{id}/restore",
            view=restore_item,
            permission=SIGNED_IN,
            returns=schemas.RESTORED,
            refuses=frozenset({403}),
            **one,
        ),
        Endpoint(
            name="trash.purge",
            method="DELETE",
            path=PATH + "/{id}",
            view=purge_item,
            permission=PURGE,
            returns=SUCCESS,
            **one,
        ),
        Endpoint(
            name="trash.bulk",
            method="POST",
            path=PATH + "/bulk",
            view=bulk,
            permission=SIGNED_IN,
            body=schemas.BULK_BODY,
            returns=BULK_RESULT,
            refuses=frozenset({403}),
        ),
    ]


def list_items(request: Request) -> Page:
    """List the deleted items that you may read, the last deleted first.

    Administrators also see the items of plugins that are disabled now.
    """
    wanted, kinds = request.query.get("contentType"), readable(request.instance, request.identity)
    if wanted is not None and kinds is not None and wanted not in kinds:
        raise Forbidden
    search = request.query.get("search", "")
    page = list_trash(request.db, request.window, kinds, wanted, search)
    return Page([_summary(request, each) for each in page.items], page.total)


def show(request: Request) -> dict[str, Any]:
    """Show a deleted item with its values.

    It needs the permission to read items of its kind.
    """
    trashed = get_trashed(request.db, request.matchdict["id"])
    kind = check_read(request.db, trashed, request.identity)
    tag_response(request, REVISION)
    return _summary(request, trashed) | _content(request.db, kind, StoredItem.read(trashed))


def restore_item(request: Request) -> dict[str, Any]:
    """Restore a deleted item, unpublished.

    It needs the permission to change items of its kind. The item has its former id, tags and state
    of approval, but a request for approval has ended. Its slug gets a number if another item has it
    now. The answer names the values that don't fit any more.
    """
    found = restore(request.db, request.matchdict["id"], request.identity)
    kind, item = found.kind, found.item
    tag_response(request, item.revision)
    return {
        "success": True,
        "contentType": kind.name,
        "contentId": item.id,
        "path": f"/api/staff/{getattr(kind, 'path', kind.name)}/{item.id}",
        "title": found.title,
        "slug": getattr(item, "slug", None),
        "etag": str(item.revision),
        "unfit": [asdict(each) for each in found.unfit],
    }


def purge_item(request: Request) -> dict[str, Any]:
    """Delete an item in the trash for good.

    Nothing brings it back. It also needs the permission to change items of its kind.
    """
    purge(request.db, request.matchdict["id"], request.identity, request.precondition)
    return {"success": True}


def bulk(request: Request) -> dict[str, Any]:
    """Restore or purge many items in the trash.

    Each item is judged for itself: one that can't be restored or purged is in `failed`. Purging
    needs the permission `trash.purge`.
    """
    data = request.data
    return run_bulk(request.db, data["operation"], data["ids"], request.identity)


def _content(session: Session, kind: Kind | None, stored: StoredItem) -> dict[str, Any]:
    """Return the state and the values of a deleted item, if its plugin is enabled."""
    found = FittingItem({}, {}, []) if kind is None else fit_item(session, kind, stored)
    return {
        "approvalStatus": found.columns.get("approval_status"),
        "published": found.columns.get("published"),
        "values": {} if kind is None else shown_values(kind, found),
        "names": {n: {str(i): text for i, text in it.items()} for n, it in stored.links.items()},
        "unfit": [asdict(each) for each in found.unfit],
    }


def _summary(request: Request, trashed: TrashedItem) -> dict[str, Any]:
    kind = trash_kinds(request.instance).get(trashed.kind)
    days = request.instance.settings[KEEP_DAYS]
    return {
        "id": trashed.id,
        "contentType": trashed.kind,
        "contentId": trashed.item_id,
        "title": trashed.title,
        "deletedAt": trashed.deleted_at,
        "deletedBy": trashed.user,
        "client": trashed.client,
        "purgeAt": trashed.deleted_at + timedelta(days=days),
        "available": kind is not None,
        "mayRestore": kind is not None and may_write(kind, request.identity),
    }
