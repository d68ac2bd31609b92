"""The public endpoints of a content type."""

from __future__ import annotations

from masthead.content.contenttype import ContentType
from masthead.content.public_reading import PublicReading
from masthead.content.public_search import PublicSearch
from masthead.content.schemas import UPCOMING, list_query
from masthead.db import Database
from masthead.http.endpoints import Endpoint
from masthead.http.environ import TOTALS
from masthead.http.paging import Page
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.schemas.schema import ListOf


class PublicViews:
    """Views over one content type for everybody."""

    def __init__(self, content_type: ContentType, database: Database) -> None:
        self.content_type = content_type
        self.reading = PublicReading(content_type, database)
        self.search = PublicSearch(content_type, database)

    def list_items(self, request: Request) -> Page:
        """The published items."""
        query, window = request.query, request.window
        totals = request.environ.get(TOTALS)
        connection, tag, words = request.db.connection(), query.get("tag"), query.get("search")
        upcoming = query.get(UPCOMING, False)
        if words:
            return self.search.page(connection, window, words, tag, totals, upcoming=upcoming)
        return self.reading.page(connection, window, tag, totals, upcoming=upcoming)

    def show(self, request: Request) -> bytes:
        """One published item."""
        return dump_json(self.reading.one(request.db.connection(), request.matchdict["slug"]))

    def related(self, request: Request) -> bytes:
        """What shares most with one item."""
        return dump_json(self.reading.related(request.db.connection(), request.matchdict["id"]))

    def endpoints(self) -> list[Endpoint]:
        """The public routes of the content type."""
        kind, path = self.content_type, f"/api/{self.content_type.name}"
        return [
            Endpoint(
                name=f"{kind.name}.list",
                method="GET",
                path=path,
                view=self.list_items,
                permission=PUBLIC,
                summary=f"List published {kind.name}",
                returns=ListOf(self.reading.list_shape.kind),
                query=list_query(kind),
                page=kind.page,
            ),
            Endpoint(
                name=f"{kind.name}.show",
                method="GET",
                path=path + "/{slug}",
                view=self.show,
                permission=PUBLIC,
                summary=f"Show one of the published {kind.name}",
                returns=self.reading.detail_shape.kind,
            ),
            Endpoint(
                name=f"{kind.name}.related",
                method="GET",
                path=path + "/{id}/related",
                view=self.related,
                permission=PUBLIC,
                summary=f"List what is related to one of {kind.name}",
                returns=ListOf(self.reading.related_shape.kind),
            ),
        ]
