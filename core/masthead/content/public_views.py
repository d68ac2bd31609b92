"""The public endpoints of a content type."""

from __future__ import annotations

from masthead.content.contenttype import ContentType
from masthead.content.public_choice import ChosenReading
from masthead.content.public_parameters import detail_query, list_query, related_query
from masthead.content.public_reading import PublicReading
from masthead.content.public_search import PublicSearch
from masthead.content.schemas import UPCOMING
from masthead.errors import Moved, NotFound
from masthead.http.addresses import item_path, site_address
from masthead.http.endpoints import Endpoint
from masthead.http.environ import TOTALS
from masthead.http.list_query import CHOICES, RELATED, chosen_window
from masthead.http.paging import Page
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.references.filtering import reference_filters
from masthead.references.reading import reads_others
from masthead.schemas.labels import many, noun, one, sentence, type_name
from masthead.schemas.schema import ListOf, Object, optional
from masthead.schemas.shapes import Shape


class PublicViews:
    """The public views of one content type."""

    def __init__(self, content_type: ContentType, instance: Instance) -> None:
        self.content_type = content_type
        self.reading = PublicReading(content_type, instance)
        self.search = PublicSearch(content_type, instance.database, self.reading)
        self.chosen = ChosenReading(content_type, instance)
        own = (each.parameter for each in content_type.filters)
        self._choices = CHOICES.union(own, reference_filters(content_type.fields, public=True))

    def list_items(self, request: Request) -> Page:
        """Return a page of the items."""
        query, window = request.query, request.window
        totals = request.environ.get(TOTALS)
        if self.chosen.list_shape.looked_up or not self._choices.isdisjoint(query):
            request.window = chosen_window(window, query)
            return self.chosen.page(request.db, request.window, query, totals)
        connection, tag, words = request.db.connection(), query.get("tag"), query.get("search")
        upcoming = query.get(UPCOMING, False)
        if words:
            return self.search.page(connection, window, words, tag, totals, upcoming=upcoming)
        return self.reading.page(connection, window, tag, totals, upcoming=upcoming)

    def show(self, request: Request) -> bytes:
        """Return one item."""
        slug, looked_up = request.matchdict["slug"], self.chosen.detail_shape.looked_up
        try:
            item_id, item = self.chosen.one(request.db, slug, request.query)
        except NotFound:
            raise self._missing(request, slug) from None
        it = self.content_type
        is_alone = not reads_others(it.name, it.fields, request.query)
        if is_alone and item.keys().isdisjoint((RELATED, *looked_up)):
            request.note_only_row(self.content_type.table.name, item_id)
        return dump_json(item)

    def _missing(self, request: Request, slug: str) -> NotFound:
        """Return the refusal for a slug that no item has, which an item may have left."""
        present = self.chosen.present_slug(request.db.connection(), slug)
        if present is None:
            return NotFound()
        settings, name = request.instance.settings, self.content_type.name
        path = item_path(settings, name).replace("{slug}", present)
        return Moved(present, path, site_address(settings, path))

    def related(self, request: Request) -> bytes:
        """Return the items that are related to one item."""
        item_id = request.matchdict["id"]
        found = self.chosen.related_to(request.db.connection(), item_id, request.query)
        return dump_json(found)

    def _kinds(self) -> tuple[Object, Object, Object]:
        """Return the types of an item in a list, of one item, and of a related item."""
        it, label, chosen = self.content_type, one(self.content_type), self.chosen
        to_other = sentence(f"{label} that is related to another one")
        related = chosen.related.shape.named(type_name(it, "Related"), to_other)
        shown = self._answer(
            chosen.detail_shape, related, type_name(it), f"{label}, as the public sees it"
        )
        if chosen.list_shape.names == chosen.detail_shape.names:
            return shown, shown, related
        summary = type_name(it, "Summary")
        return (
            self._answer(chosen.list_shape, related, summary, f"{label} in a list"),
            shown,
            related,
        )

    def _answer(self, shape: Shape, related: Object, name: str, meaning: str) -> Object:
        """Return the type of an item with the fields of a shape and those that clients include."""
        further = [c for c in self.chosen.detail_shape.columns if c.name not in shape.names]
        included = {c.name: optional(c.kind, nullable=False) for c in further}
        included[RELATED] = optional(
            ListOf(related), nullable=False, help="Its related items, if they are included."
        )
        return shape.named(name, sentence(meaning), included | self.chosen.embedding.members())

    def endpoints(self) -> list[Endpoint]:
        """Return the public endpoints."""
        it, name, path = self.content_type, self.content_type.name, f"/api/{self.content_type.name}"
        listed, detail, related = self._kinds()
        shapes = self.chosen.list_shape, self.chosen.detail_shape
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
                query=list_query(it, *shapes, self.chosen.embedding),
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
                query=detail_query(*shapes, self.chosen.embedding),
            ),
            Endpoint(
                name=f"{name}.related",
                method="GET",
                path=path + "/{id}/related",
                view=self.related,
                permission=PUBLIC,
                summary=f"List {many(it)} related to another one",
                description="By default three published items at most, those with the most shared"
                " tags first.",
                returns=ListOf(related),
                query=related_query(self.chosen.related.shape),
            ),
        ]
