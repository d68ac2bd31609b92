"""The public endpoints of a content type."""

from __future__ import annotations

from masthead.content.contenttype import ContentType
from masthead.content.public_reading import PublicReading
from masthead.content.public_search import PublicSearch
from masthead.content.schemas import UPCOMING, list_query
from masthead.db import Database
from masthead.errors import Moved, NotFound
from masthead.http.addresses import item_path, site_address
from masthead.http.endpoints import Endpoint
from masthead.http.environ import TOTALS
from masthead.http.paging import Page
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.schemas.schema import ListOf


class PublicViews:
    """The public views of one content type."""

    def __init__(self, content_type: ContentType, database: Database) -> None:
        self.content_type = content_type
        self.reading = PublicReading(content_type, database)
        self.search = PublicSearch(content_type, database)

    def list_items(self, request: Request) -> Page:
        """Return a page of the items."""
        query, window = request.query, request.window
        totals = request.environ.get(TOTALS)
        connection, tag, words = request.db.connection(), query.get("tag"), query.get("search")
        upcoming = query.get(UPCOMING, False)
        if words:
            return self.search.page(connection, window, words, tag, totals, upcoming=upcoming)
        return self.reading.page(connection, window, tag, totals, upcoming=upcoming)

    def show(self, request: Request) -> bytes:
        """Return one item."""
        slug = request.matchdict["slug"]
        try:
            item = self.reading.one(request.db.connection(), slug)
        except NotFound:
            raise self._missing(request, slug) from None
        request.note_only_row(self.content_type.table.name, item["id"])
        return dump_json(item)

    def _missing(self, request: Request, slug: str) -> NotFound:
        """Return the refusal for a slug that no item has, which an item may have left."""
        present = self.reading.present_slug(request.db.connection(), slug)
        if present is None:
            return NotFound()
        settings, name = request.instance.settings, self.content_type.name
        path = item_path(settings, name).replace("{slug}", present)
        return Moved(present, path, site_address(settings, path))

    def related(self, request: Request) -> bytes:
        """Return the items that are related to one item."""
        return dump_json(self.reading.related(request.db.connection(), request.matchdict["id"]))

    def endpoints(self) -> list[Endpoint]:
        """Return the public endpoints."""
        name, path = self.content_type.name, f"/api/{self.content_type.name}"
        return [
            Endpoint(
                name=f"{name}.list",
                method="GET",
                path=path,
                view=self.list_items,
                permission=PUBLIC,
                summary=f"List published {name}",
                returns=ListOf(self.reading.list_shape.kind),
                query=list_query(self.content_type),
                page=self.content_type.page,
            ),
            Endpoint(
                name=f"{name}.show",
                method="GET",
                path=path + "/{slug}",
                view=self.show,
                permission=PUBLIC,
                summary=f"Show one of the published {name}",
                returns=self.reading.detail_shape.kind,
            ),
            Endpoint(
                name=f"{name}.related",
                method="GET",
                path=path + "/{id}/related",
                view=self.related,
                permission=PUBLIC,
                summary=f"List items related to one of {name}",
                returns=ListOf(self.reading.related_shape.kind),
            ),
        ]
