"""The staff endpoints of a content type."""

from __future__ import annotations

from typing import Any

from masthead.approval.services import lock_item
from masthead.content import schemas
from masthead.content.bulk import run_bulk
from masthead.content.contenttype import ContentType
from masthead.content.services import create_items, delete_items, drop_staged, update_item
from masthead.content.staff_reading import StaffReading
from masthead.http.endpoints import Endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.request import Request
from masthead.http.revisions import check_revision, tag_response
from masthead.http.wire import dump_json
from masthead.schemas.schema import SUCCESS, ListOf


class StaffViews:
    """Views over one content type for staff."""

    def __init__(self, content_type: ContentType, dialect: str) -> None:
        self.content_type = content_type
        self.reading = StaffReading(content_type, dialect)

    def list_items(self, request: Request) -> Page:
        """All items, drafts too."""
        words = request.query.get("search")
        page = self.reading.page(request.db.connection(), request.window, words)
        return Page(dump_json(page.items), page.total)

    def show(self, request: Request) -> bytes:
        """One item with full details."""
        return self._answer(request, request.matchdict["id"])

    def create(self, request: Request) -> bytes:
        """Make a draft."""
        [item] = create_items(request.db, self.content_type, [request.data], request.identity)
        return self._answer(request, item.id)

    def update(self, request: Request) -> bytes:
        """Change an item."""
        item = lock_item(request.db, self.content_type, request.matchdict["id"])
        check_revision(request, item.revision)
        update_item(request.db, self.content_type, item, request.data, request.identity)
        return self._answer(request, item.id)

    def delete(self, request: Request) -> Any:
        """Delete an item."""
        item = lock_item(request.db, self.content_type, request.matchdict["id"])
        delete_items(request.db, self.content_type, [item], request.identity)
        return {"success": True}

    def drop_staged(self, request: Request) -> Any:
        """Drop an item's staged edits."""
        drop_staged(request.db, self.content_type, request.matchdict["id"], request.identity)
        return {"success": True}

    def bulk(self, request: Request) -> Any:
        """Do one thing to many items."""
        data = request.data
        return run_bulk(
            request.db, self.content_type, data["operation"], data["ids"], request.identity
        )

    def _answer(self, request: Request, item_id: int) -> bytes:
        item, revision = self.reading.one(request.db.connection(), item_id)
        tag_response(request, revision)
        return dump_json(item)

    def endpoints(self) -> list[Endpoint]:
        """The staff routes of the content type."""
        kind = self.content_type
        path, name = f"/api/staff/{kind.name}", f"staff.{kind.name}"
        read, write = kind.read_permission, kind.write_permission
        one, many = self.reading.detail_kind, ListOf(self.reading.list_kind)
        return [
            Endpoint(
                name=f"{name}.list",
                method="GET",
                path=path,
                view=self.list_items,
                permission=read,
                summary=f"List {kind.name}, drafts too",
                returns=many,
                query=schemas.STAFF_LIST_QUERY,
                page=MOST_ROWS,
            ),
            Endpoint(
                name=f"{name}.show",
                method="GET",
                path=path + "/{id}",
                view=self.show,
                permission=read,
                summary=f"Show one of {kind.name}",
                returns=one,
            ),
            Endpoint(
                name=f"{name}.create",
                method="POST",
                path=path,
                view=self.create,
                permission=write,
                summary=f"Create a draft of {kind.name}",
                returns=one,
                body=schemas.create_body(kind),
            ),
            Endpoint(
                name=f"{name}.bulk",
                method="POST",
                path=path + "/bulk",
                view=self.bulk,
                permission=write,
                summary=f"Publish, unpublish or delete many of {kind.name}",
                returns=schemas.BULK,
                body=schemas.BULK_BODY,
            ),
            Endpoint(
                name=f"{name}.update",
                method="PUT",
                path=path + "/{id}",
                view=self.update,
                permission=write,
                summary=f"Change one of {kind.name}",
                returns=one,
                body=schemas.update_body(kind),
                refuses=frozenset({412}),
            ),
            Endpoint(
                name=f"{name}.delete",
                method="DELETE",
                path=path + "/{id}",
                view=self.delete,
                permission=write,
                summary=f"Delete one of {kind.name} for good",
                returns=SUCCESS,
            ),
            Endpoint(
                name=f"{name}.drop-staged",
                method="DELETE",
                path=path + "/{id}/staged",
                view=self.drop_staged,
                permission=write,
                summary=f"Drop the staged edits of one of {kind.name}",
                returns=SUCCESS,
            ),
        ]
