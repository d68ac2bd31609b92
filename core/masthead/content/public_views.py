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
from masthead.schemas.labels import many, noun, one, sentence, type_name
from masthead.schemas.schema import ListOf, Object


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

    def _kinds(self) -> tuple[Object, Object, Object]:
        """Return the types of an item in a list, of one item, and of a related item."""
        it, label, reading = self.content_type, one(self.content_type), self.reading
        listed, detail, related = reading.list_shape, reading.detail_shape, reading.related_shape
        shown = detail.named(type_name(it), sentence(f"{label}, as the public sees it"))
        is_one = listed.kind.schema() == detail.kind.schema()
        summary = listed.named(type_name(it, "Summary"), sentence(f"{label} in a list"))
        to_other = sentence(f"{label} that is related to another one")
        return (
            shown if is_one else summary,
            shown,
            related.named(type_name(it, "Related"), to_other),
        )

    def endpoints(self) -> list[Endpoint]:
        """Return the public endpoints."""
        it, name, path = self.content_type, self.content_type.name, f"/api/{self.content_type.name}"
        listed, detail, related = self._kinds()
        return [
            Endpoint(
                name=f"{name}.list",
                method="GET",
                path=path,
                view=self.list_items,
                permission=PUBLIC,
                summary=f"List published {many(it)}",
                description="A page at a time, without drafts and items that are to appear later.",
                returns=ListOf(listed),
                query=list_query(self.content_type),
                page=self.content_type.page,
            ),
            Endpoint(
                name=f"{name}.show",
                method="GET",
                path=path + "/{slug}",
                view=self.show,
                permission=PUBLIC,
                summary=f"Show a published {noun(it.label)}",
                description="404 for a draft, and before the time at which the item is to appear.",
                returns=detail,
            ),
            Endpoint(
                name=f"{name}.related",
                method="GET",
                path=path + "/{id}/related",
                view=self.related,
                permission=PUBLIC,
                summary=f"List {many(it)} related to another one",
                description="Up to three published items, those with the most shared tags first.",
                returns=ListOf(related),
            ),
        ]
