"""The public endpoints of a resource."""

from __future__ import annotations

from masthead.http.endpoints import Endpoint
from masthead.http.environ import TOTALS
from masthead.http.list_query import chosen_window
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.references.reading import reads_others
from masthead.resources.declaration import Resource
from masthead.resources.kept import PUBLISHED
from masthead.resources.options import LIST, SHOW, PublicRoutes
from masthead.resources.public_reading import PublicReading
from masthead.schemas.labels import many, noun, one
from masthead.schemas.schema import ListOf


class PublicViews:
    """The public views of one resource."""

    def __init__(self, resource: Resource, public: PublicRoutes, instance: Instance) -> None:
        self.resource, self.public = resource, public
        self.reading = PublicReading(resource, public, instance)
        self.placeholder = resource.id_placeholder if public.by == "id" else public.by

    def list_items(self, request: Request) -> Page:
        """Return a page of the items."""
        totals = request.environ.get(TOTALS)
        request.window = chosen_window(request.window, request.query)
        return self.reading.page(request.db, request.window, request.query, totals)

    def show(self, request: Request) -> bytes:
        """Return one item."""
        key = request.matchdict[self.placeholder]
        item_id, item = self.reading.one(request.db, key, request.query)
        it = self.resource
        is_alone = not reads_others(it.name, it.fields, request.query)
        if is_alone and item.keys().isdisjoint(self.reading.looked_up):
            request.note_only_row(it.model.__tablename__, item_id)
        return dump_json(item)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints of the operations that the public has."""
        name, path = self.resource.name, f"/api/{self.resource.path}"
        it, state = self.resource, "published " if PUBLISHED in self.resource.columns else ""
        listed, detail = self.reading.kinds()
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
                query=self.reading.list_query(),
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
                query=self.reading.detail_query(),
            ),
        }
        return [offered[operation] for operation in self.public.operations]
