"""The public endpoints of a resource."""

from __future__ import annotations

from typing import Any

from masthead.http.endpoints import Endpoint
from masthead.http.environ import TOTALS
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.resources.declaration import LIST, PUBLISHED, SHOW, PublicRoutes, Resource
from masthead.resources.public_reading import PublicReading
from masthead.schemas.labels import many, noun, one, sentence, type_name
from masthead.schemas.schema import ListOf, Object, named


class PublicViews:
    """The public views of one resource."""

    def __init__(self, resource: Resource, public: PublicRoutes) -> None:
        self.resource, self.public = resource, public
        self.reading = PublicReading(resource, public)
        self.placeholder = resource.id_placeholder if public.by == "id" else public.by

    def list_items(self, request: Request) -> Page:
        """Return a page of the items."""
        return self.reading.page(request.db, request.window, request.environ.get(TOTALS))

    def show(self, request: Request) -> dict[str, Any]:
        """Return one item."""
        item = self.reading.one(request.db, request.matchdict[self.placeholder])
        request.note_only_row(self.resource.model.__tablename__, item["id"])
        return item

    def _kinds(self) -> tuple[Object, Object]:
        """Return the types of an item in a list and of one item, which can be one type."""
        it, label = self.resource, one(self.resource)
        listed, detail = self.reading.list_kind, self.reading.detail_kind
        shown = Object(
            named(detail.node, type_name(it), sentence(f"{label}, as the public sees it"))
        )
        if listed.schema() == detail.schema():
            return shown, shown
        summary = sentence(f"{label} in a list")
        return Object(named(listed.node, type_name(it, "Summary"), summary)), shown

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints of the operations that the public has."""
        name, path = self.resource.name, f"/api/{self.resource.path}"
        it, state = self.resource, "published " if PUBLISHED in self.resource.columns else ""
        listed, detail = self._kinds()
        offered = {
            LIST: Endpoint(
                name=f"{name}.list",
                method="GET",
                path=path,
                view=self.list_items,
                permission=PUBLIC,
                summary=f"List the {state}{many(it)}",
                description="A page at a time.",
                returns=ListOf(listed),
                page=MOST_ROWS,
            ),
            SHOW: Endpoint(
                name=f"{name}.show",
                method="GET",
                path=f"{path}/{{{self.placeholder}}}",
                view=self.show,
                permission=PUBLIC,
                summary=f"Show {f'a {state}{noun(it.label)}' if state else one(it)}",
                description="404 for an item that doesn't exist or isn't public.",
                returns=detail,
            ),
        }
        return [offered[operation] for operation in self.public.operations]
