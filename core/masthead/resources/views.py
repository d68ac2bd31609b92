"""The staff endpoints of a resource."""

from __future__ import annotations

from typing import Any

from masthead.http.endpoints import Endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.request import Request
from masthead.http.revisions import check_revision, tag_response
from masthead.resources import services
from masthead.resources.declaration import (
    CREATE,
    DELETE,
    LIST,
    SHOW,
    UPDATE,
    Resource,
    never_kept,
)
from masthead.resources.listing import list_items
from masthead.resources.schemas import create_body, list_query, update_body
from masthead.schemas.schema import SUCCESS, ListOf


class ResourceViews:
    """Views over one resource for staff."""

    def __init__(self, resource: Resource) -> None:
        self.resource = resource
        self._key = "name" if resource.named else "id"

    def list_items(self, request: Request) -> Page:
        """All items, or those that have what the query names."""
        page = list_items(request.db, self.resource, request.window, request.query)
        return Page([self.resource.values(item, detail=False) for item in page.items], page.total)

    def show(self, request: Request) -> Any:
        """One item."""
        item = services.get_item(request.db, self.resource, request.matchdict[self._key])
        return self._answer(request, item)

    def create(self, request: Request) -> Any:
        """Make an item."""
        [item] = services.create_items(request.db, self.resource, [request.data], request.identity)
        return self._answer(request, item)

    def update(self, request: Request) -> Any:
        """Change an item."""
        item = services.lock_item(request.db, self.resource, request.matchdict[self._key])
        check_revision(request, item.revision)
        services.update_item(request.db, self.resource, item, request.data, request.identity)
        return self._answer(request, item)

    def delete(self, request: Request) -> Any:
        """Delete an item."""
        item = services.lock_item(request.db, self.resource, request.matchdict[self._key])
        services.delete_item(request.db, self.resource, item, request.identity)
        return {"success": True}

    def _answer(self, request: Request, item: Any) -> Any:
        tag_response(request, item.revision)
        return self.resource.describe(request.db, item)

    def endpoints(self) -> list[Endpoint]:
        """The staff routes of the resource."""
        offered = {
            f"staff.{self.resource.name}.{operation}" for operation in self.resource.operations
        }
        return [endpoint for endpoint in self._endpoints() if endpoint.name in offered]

    def _endpoints(self) -> list[Endpoint]:
        it = self.resource
        name, path = f"staff.{it.name}", f"/api/staff/{it.path}"
        one = f"{path}/{{{self._key}}}"
        detail = it.answer(detail=True)
        return [
            Endpoint(
                name=f"{name}.{LIST}",
                method="GET",
                path=path,
                view=self.list_items,
                permission=it.read_permission,
                summary=f"List {it.name}",
                returns=ListOf(it.answer(detail=False)),
                query=list_query(it),
                page=MOST_ROWS,
            ),
            Endpoint(
                name=f"{name}.{SHOW}",
                method="GET",
                path=one,
                view=self.show,
                permission=it.read_permission,
                summary=f"Show one of {it.name}",
                returns=detail,
            ),
            Endpoint(
                name=f"{name}.{CREATE}",
                method="POST",
                path=path,
                view=self.create,
                permission=it.write_permission,
                summary=f"Create one of {it.name}",
                returns=detail,
                body=create_body(it),
            ),
            Endpoint(
                name=f"{name}.{UPDATE}",
                method="PUT",
                path=one,
                view=self.update,
                permission=it.write_permission,
                summary=f"Change one of {it.name}",
                returns=detail,
                body=update_body(it),
                refuses=frozenset({412}),
            ),
            Endpoint(
                name=f"{name}.{DELETE}",
                method="DELETE",
                path=one,
                view=self.delete,
                permission=it.write_permission,
                summary=f"Delete one of {it.name} for good",
                returns=SUCCESS,
                refuses=frozenset() if it.before_delete is never_kept else frozenset({400}),
            ),
        ]
