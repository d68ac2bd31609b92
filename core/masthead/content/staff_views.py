"""The staff endpoints of a content type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.services import lock_item
from masthead.auth.caller import Caller
from masthead.content import schemas, services
from masthead.content.bulk import run_bulk
from masthead.content.contenttype import ContentType
from masthead.content.copies import copy_item
from masthead.content.staff_filters import list_query
from masthead.content.staff_reading import StaffReading
from masthead.http.endpoints import Endpoint
from masthead.http.paging import Page
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.references.embedding import Embedding
from masthead.resources.crud import CrudViews, Schemas
from masthead.resources.services import get_item
from masthead.schemas.common import BULK_RESULT
from masthead.schemas.schema import SUCCESS


class StaffViews(CrudViews):
    """The staff views of one content type."""

    summaries = {
        **CrudViews.summaries,
        "list": "List {many}, including drafts",
        "create": "Create {one} as a draft",
        "bulk": "Publish, unpublish or delete {many}",
        "drop-staged": "Drop the staged edits of {one}",
    }
    descriptions = {
        **CrudViews.descriptions,
        "list": "All items, a page at a time, without their `content`.",
        "create": "The answer is the new item. It becomes public by an approval.",
        "update": (
            "Changes the fields that are sent and keeps the others. An edit of a published item"
            " waits for approval, and the public sees the former text until then. The answer is"
            " the item with the edit."
        ),
        "bulk": (
            "An item that can't be changed is in `failed`; the others are changed. Deleted items go"
            " to the trash."
        ),
        "duplicate": (
            "The answer is a draft with the values and the tags of the item as staff see it, also"
            " of an edit that waits. Its title says that it is a copy; it has a slug of its own and"
            " no schedule."
        ),
        "drop-staged": "The published item stays as the public sees it.",
    }

    def __init__(self, content_type: ContentType, instance: Instance) -> None:
        self.content_type = content_type
        self.reading = StaffReading(content_type, instance.database.dialect)
        crud = Schemas(
            listed=self.reading.list_kind,
            detail=self.reading.detail_kind,
            query=list_query(content_type),
            create=schemas.create_body(content_type),
            update=schemas.update_body(content_type),
        )
        embedding = Embedding(content_type.fields, instance, public=False)
        super().__init__(content_type, content_type.name, crud, embedding, content_type)

    def endpoints(self) -> list[Endpoint]:
        """Return the staff endpoints."""
        bulk = self.endpoint(
            "bulk", "POST", self.bulk, "/bulk", returns=BULK_RESULT, body=schemas.BULK_BODY
        )
        drop_staged = self.endpoint(
            "drop-staged", "DELETE", self.drop_staged, "/{id}/staged", returns=SUCCESS
        )
        revisions = self.revision_endpoints(self.content_type)
        return [*super().endpoints(), self.duplicate_endpoint(), bulk, drop_staged, *revisions]

    def list_items(self, request: Request) -> Page:
        """Return a page of all items, including drafts."""
        page = self.reading.page(request.db, request.window, request.query)
        self.embed(request, page.items)
        return Page(dump_json(page.items), page.total)

    def drop_staged(self, request: Request) -> Any:
        """Drop an item's staged edits."""
        item_id = request.matchdict["id"]
        services.drop_staged(
            request.db, self.content_type, item_id, request.identity, request.precondition
        )
        return {"success": True}

    def bulk(self, request: Request) -> Any:
        """Perform an operation on many items."""
        data = request.data
        return run_bulk(
            request.db, self.content_type, data["operation"], data["ids"], request.identity
        )

    # Whoever may call the endpoint may read all of an item.
    def _read(self, session: Session, item_id: Any, caller: Caller) -> tuple[bytes, int]:  # noqa: ARG002
        item, revision = self.reading.one(session, item_id)
        return dump_json(item), revision

    def _find(self, session: Session, item_id: Any) -> Any:
        return get_item(session, self.content_type, item_id)

    def _lock(self, session: Session, item_id: Any) -> Any:
        return lock_item(session, self.content_type, item_id)

    def _create(self, session: Session, values: Mapping[str, Any], caller: Caller) -> Any:
        [item] = services.create_items(session, self.content_type, [values], caller)
        return item

    def _update(
        self,
        session: Session,
        item: Any,
        values: Mapping[str, Any],
        caller: Caller,
        restored_from: int | None = None,
    ) -> None:
        kind = self.content_type
        services.update_item(session, kind, item, values, caller, restored_from=restored_from)

    def _copy(self, session: Session, item: Any, caller: Caller) -> Any:
        return copy_item(session, self.content_type, item, caller)

    def _delete(self, session: Session, item: Any, caller: Caller) -> None:
        services.delete_items(session, self.content_type, [item], caller)
