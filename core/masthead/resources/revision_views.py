"""The staff endpoints of revisions: list, show, compare and restore."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import colander
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.history import schemas
from masthead.history.comparing import compare
from masthead.history.models import Revision
from masthead.history.reading import (
    get_revision,
    list_revisions,
    newest_number,
    read_values,
)
from masthead.history.restoring import restore
from masthead.history.snapshots import Kept
from masthead.http.endpoints import Endpoint, View
from masthead.http.paging import Page
from masthead.http.request import Request
from masthead.http.revisions import ETAG, Precondition, tag_response
from masthead.schemas.labels import Labelled, one

PAGE = 50
"""The default limit of lists of revisions."""
_NUMBER = "{revision_id}"


class Declaration(Kept, Labelled, Protocol):
    """A content type or resource with permissions."""

    @property
    def read_permission(self) -> str:
        """The permission to read it."""

    @property
    def write_permission(self) -> str:
        """The permission to change it."""

    @property
    def also_needs(self) -> tuple[str, ...]:
        """The further permissions to change it."""


@dataclass(frozen=True)
class RevisedItems:
    """Items with revisions: how they are found and saved."""

    kept: Declaration
    path: str
    """The address of an item: ``/api/staff/news/{id}``."""
    placeholder: str
    """The placeholder of the address with the id of the item; blank if there is only one item."""
    body: colander.SchemaNode
    """The body of an update."""
    find: Callable[[Session, Any], Any]
    """Return an item; raises ``NotFound``."""
    lock: Callable[[Session, Any], Any]
    """Return an item, locked until the transaction ends; raises ``NotFound``."""
    save: Callable[[Session, Any, Mapping[str, Any], Caller, int], None]
    """Change a locked item by checked values; also gets the number of the revision with these."""


class RevisionViews:
    """The views of the revisions of some items."""

    def __init__(self, items: RevisedItems) -> None:
        self._items = items
        self._kept = items.kept

    def list_revisions(self, request: Request) -> Page:
        """Return a page of the revisions of an item."""
        item = self._find(request)
        page = list_revisions(request.db, self._kept, item.id, request.window)
        return Page([_summary(each) for each in page.items], page.total)

    def show(self, request: Request) -> dict[str, Any]:
        """Return a revision with its values."""
        number = request.matchdict["revision_id"]
        revision = get_revision(request.db, self._kept, self._find(request).id, number)
        found = read_values(request.db, self._kept, revision)
        own = {"values": found.fitting, "names": found.names, "unfit": _dumped(found.unfit)}
        return _summary(revision) | own

    def compare(self, request: Request) -> dict[str, Any]:
        """Return the differences of two revisions."""
        session, kept, item_id = request.db, self._kept, self._find(request).id
        second = request.query.get("to") or newest_number(session, kept, item_id) or 0
        first = request.query.get("from", second - 1)
        revisions = [get_revision(session, kept, item_id, each) for each in (first, second)]
        before, after = (read_values(session, kept, each) for each in revisions)
        unfit = {each.field: each for each in (*before.unfit, *after.unfit)}
        return {
            "from": first,
            "to": second,
            "differences": compare(session, kept, before, after),
            "unfit": _dumped(unfit.values()),
        }

    def restore(self, request: Request) -> dict[str, Any]:
        """Save the values of a revision."""
        session, data, number = request.db, request.data, request.matchdict["revision_id"]
        item = self._items.lock(session, request.matchdict.get(self._items.placeholder))
        Precondition(request.headers.get("If-Match"), data.get(ETAG)).check(item.revision)
        revision = get_revision(session, self._kept, item.id, number)

        def save(values: Mapping[str, Any]) -> None:
            self._items.save(session, item, values, request.identity, number)

        found = restore(session, self._kept, revision, self._items.body, save, data.get("fields"))
        tag_response(request, item.revision)
        return {"success": True, **asdict(found)}

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        revised = "/revisions"
        return [
            self._endpoint(
                "revisions",
                "GET",
                self.list_revisions,
                revised,
                summary="List the revisions of {one}",
                description="The states that it had after saves, the newest first.",
                returns=schemas.REVISIONS,
                page=PAGE,
            ),
            self._endpoint(
                "compare-revisions",
                "GET",
                self.compare,
                f"{revised}/compare",
                summary="Compare two revisions of {one}",
                description="Texts are compared by words.",
                returns=schemas.COMPARISON,
                query=schemas.COMPARED,
                # Without an id in the address, too.
                refuses=frozenset({404}),
            ),
            self._endpoint(
                "revision",
                "GET",
                self.show,
                f"{revised}/{_NUMBER}",
                summary="Show a revision of {one}",
                description="The values are those that items can have today.",
                returns=schemas.REVISION,
            ),
            self._endpoint(
                "restore-revision",
                "POST",
                self.restore,
                f"{revised}/{_NUMBER}/restore",
                summary="Restore a revision of {one}",
                description=(
                    "An edit with the values of the revision, which waits for approval like any"
                    " other edit. The answer names the values that don't fit any more."
                ),
                returns=schemas.RESTORED,
                body=schemas.RESTORE,
                refuses=frozenset({412}),
            ),
        ]

    def _endpoint(
        self, operation: str, method: str, view: View, path: str, *, summary: str, **options: Any
    ) -> Endpoint:
        kept, reads = self._kept, method == "GET"
        return Endpoint(
            name=f"staff.{kept.name}.{operation}",
            method=method,
            path=self._items.path + path,
            view=view,
            permission=kept.read_permission if reads else kept.write_permission,
            also_needs=() if reads else kept.also_needs,
            summary=summary.format(one=one(kept)),
            path_help={"revision_id": schemas.NUMBER_HELP} if _NUMBER in path else {},
            **options,
        )

    def _find(self, request: Request) -> Any:
        return self._items.find(request.db, request.matchdict.get(self._items.placeholder))


def _summary(revision: Revision) -> dict[str, Any]:
    return {
        "number": revision.number,
        "copy": revision.copy,
        "beganAt": revision.began_at,
        "at": revision.at,
        "saves": revision.saves,
        "user": revision.user,
        "client": revision.client,
        "changed": revision.changed,
        "restoredFrom": revision.restored_from,
        "approvedAt": revision.approved_at,
        "digest": revision.digest,
    }


def _dumped(unfit: Any) -> list[dict[str, Any]]:
    return [asdict(each) for each in unfit]
