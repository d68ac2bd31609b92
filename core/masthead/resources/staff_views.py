"""The staff endpoints of a resource."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.db.locking import lock_row
from masthead.http.endpoints import Endpoint
from masthead.http.list_query import EMBED
from masthead.http.paging import Page
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.references.embedding import Embedding
from masthead.resources import services
from masthead.resources.copies import copy_item
from masthead.resources.crud import CrudViews, Schemas
from masthead.resources.declaration import Resource
from masthead.resources.listing import list_items
from masthead.resources.schemas import create_body, list_query, update_body
from masthead.schemas.schema import ListOf


class StaffViews(CrudViews):
    """The staff views of one resource."""

    def __init__(self, resource: Resource, instance: Instance) -> None:
        self.resource = resource
        self.placeholder = resource.id_placeholder
        schemas = Schemas(
            listed=resource.answer(detail=False),
            detail=resource.answer(detail=True),
            query=list_query(resource),
            create=create_body(resource),
            update=update_body(resource),
        )
        kept = resource if resource.keeps_revisions else None
        embedding = Embedding(resource.fields, instance, public=False)
        super().__init__(resource, resource.path, schemas, embedding, kept)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints of the operations that the resource offers."""
        offered = {f"staff.{self.resource.name}.{each}" for each in self.resource.operations}
        crud = [endpoint for endpoint in super().endpoints() if endpoint.name in offered]
        kept = self.resource.keeps_revisions
        copies = [self.duplicate_endpoint()] if self.resource.copies is not None else []
        return crud + copies + (self.revision_endpoints(self.resource) if kept else [])

    def list_items(self, request: Request) -> Page:
        """Return a page of the items that match the query."""
        page = list_items(request.db, self.resource, request.window, request.query)
        shown = self.resource.describe_all(request.db, page.items, request.identity, detail=False)
        if not request.query.get(EMBED):
            return Page(shown, page.total)
        items = ListOf(self.schemas.listed).dump(shown)
        self.embed(request, items)
        return Page(dump_json(items), page.total)

    def _read(self, session: Session, item_id: Any, caller: Caller) -> tuple[Any, int]:
        item = services.get_item(session, self.resource, item_id)
        return self.resource.describe(session, item, caller), item.revision

    def _find(self, session: Session, item_id: Any) -> Any:
        return services.get_item(session, self.resource, item_id)

    def _lock(self, session: Session, item_id: Any) -> Any:
        return lock_row(session, self.resource.model, item_id)

    def _create(self, session: Session, values: Mapping[str, Any], caller: Caller) -> Any:
        [item] = services.create_items(session, self.resource, [values], caller)
        return item

    def _update(
        self,
        session: Session,
        item: Any,
        values: Mapping[str, Any],
        caller: Caller,
        restored_from: int | None = None,
    ) -> None:
        kind = self.resource
        services.update_item(session, kind, item, values, caller, restored_from=restored_from)

    def _copy(self, session: Session, item: Any, caller: Caller) -> Any:
        return copy_item(session, self.resource, item, caller)

    def _delete(self, session: Session, item: Any, caller: Caller) -> None:
        services.delete_item(session, self.resource, item, caller)
