"""The public endpoints of a content type."""

from __future__ import annotations

from masthead.content.contenttype import ContentType
from masthead.content.public_choice import ChosenReading
from masthead.content.public_parameters import detail_query, list_query
from masthead.content.public_reading import PublicReading
from masthead.content.public_search import PublicSearch
from masthead.content.schemas import UPCOMING
from masthead.http.endpoints import Endpoint
from masthead.http.environ import TOTALS
from masthead.http.list_query import CHOICES, RELATED, chosen_window
from masthead.http.paging import Page
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.schemas.schema import ListOf, PartsOf, optional
from masthead.schemas.shapes import Shape


class PublicViews:
    """The public views of one content type."""

    def __init__(self, content_type: ContentType, instance: Instance) -> None:
        self.content_type = content_type
        self.reading = PublicReading(content_type, instance)
        self.search = PublicSearch(content_type, instance.database, self.reading)
        self.chosen = ChosenReading(content_type, instance)

    def list_items(self, request: Request) -> Page:
        """Return a page of the items."""
        query, window = request.query, request.window
        totals = request.environ.get(TOTALS)
        if not CHOICES.isdisjoint(query):
            request.window = chosen_window(window, query)
            return self.chosen.page(request.db.connection(), request.window, query, totals)
        connection, tag, words = request.db.connection(), query.get("tag"), query.get("search")
        upcoming = query.get(UPCOMING, False)
        if words:
            return self.search.page(connection, window, words, tag, totals, upcoming=upcoming)
        return self.reading.page(connection, window, tag, totals, upcoming=upcoming)

    def show(self, request: Request) -> bytes:
        """Return one item."""
        connection, slug = request.db.connection(), request.matchdict["slug"]
        item_id, item = self.chosen.one(connection, slug, request.query)
        if RELATED not in item:
            request.note_only_row(self.content_type.table.name, item_id)
        return dump_json(item)

    def related(self, request: Request) -> bytes:
        """Return the items that are related to one item."""
        item_id = request.matchdict["id"]
        found = self.chosen.related.of(request.db.connection(), [item_id])
        return dump_json(found.get(item_id, []))

    def endpoints(self) -> list[Endpoint]:
        """Return the public endpoints."""
        name, path = self.content_type.name, f"/api/{self.content_type.name}"
        listed, detail = self.chosen.list_shape, self.chosen.detail_shape
        return [
            Endpoint(
                name=f"{name}.list",
                method="GET",
                path=path,
                view=self.list_items,
                permission=PUBLIC,
                summary=f"List published {name}",
                returns=ListOf(self._answer(listed)),
                query=list_query(self.content_type, listed, detail),
                page=self.content_type.page,
            ),
            Endpoint(
                name=f"{name}.show",
                method="GET",
                path=path + "/{slug}",
                view=self.show,
                permission=PUBLIC,
                summary=f"Show one of the published {name}",
                returns=self._answer(detail),
                query=detail_query(listed, detail),
            ),
            Endpoint(
                name=f"{name}.related",
                method="GET",
                path=path + "/{id}/related",
                view=self.related,
                permission=PUBLIC,
                summary=f"List items related to one of {name}",
                returns=ListOf(self.chosen.related.shape.kind),
            ),
        ]

    def _answer(self, shape: Shape) -> PartsOf:
        """Return the type of an item with the fields of a shape and those that clients include."""
        further = [c for c in self.chosen.detail_shape.columns if c.name not in shape.names]
        included = {c.name: optional(c.kind, nullable=False) for c in further}
        included[RELATED] = optional(ListOf(self.chosen.related.shape.kind), nullable=False)
        return PartsOf(shape.kind_with(included))
