"""The search in one public resource, as a part of the search in all types."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, func, select

from masthead.content.ranking import Hit, rank_of
from masthead.content.shapes import DIR, LANG
from masthead.content.snippets import MOST_CHARACTERS, snippet
from masthead.db import wire_time
from masthead.html.plain import plain_text
from masthead.http.addresses import site_address
from masthead.http.images import image_names, images_of
from masthead.http.paging import Totals
from masthead.instance import Instance
from masthead.resources.declaration import Resource
from masthead.resources.public_reading import public_conditions
from masthead.schemas.field_types import Str
from masthead.schemas.fields import is_html
from masthead.schemas.shapes import Column, Shape
from masthead.schemas.slugs import SLUG_FIELD
from masthead.search.finder import Finder
from masthead.search.index import PUBLIC
from masthead.search.tokens import Query

_IMAGE = "image"


class ResourceSearch:
    """The search in one resource; the first of its searched fields is the title of a hit."""

    def __init__(self, resource: Resource, instance: Instance) -> None:
        assert resource.public is not None
        self._name, self._id = resource.name, resource.columns["id"]
        self._settings = instance.settings
        self._path = resource.site_path or resource.public.listed_at
        self._title, *self._texts = resource.search_fields
        html = {f.name for f in resource.fields if is_html(f.kind)}
        self._html = html.intersection(self._texts)
        self._finder = Finder(resource.name, instance.database.dialect, PUBLIC)
        self._date = resource.columns["updatedAt"]
        self._columns = resource.columns
        self._conditions = [
            *public_conditions(resource),
            self._finder.is_hit(self._id, order_scan=False),
        ]
        self._shape = Shape([*self._fields(resource), *_image(resource, instance)])
        self._shown = self._shape.select().where(*public_conditions(resource))

    def count(
        self, connection: Connection, query: Query, tag: str | None, totals: Totals | None
    ) -> int:
        """Return the number of hits; an item of a resource has no tags."""
        if tag is not None:
            return 0
        parameters = self._finder.prepare(connection, query)
        counted = select(func.count()).select_from(self._id.table).where(*self._conditions)
        return (totals or Totals()).get(
            (self._name, None, query, False),
            lambda: int(connection.execute(counted, parameters).scalar_one()),
        )

    def hits(
        self,
        connection: Connection,
        query: Query,
        tag: str | None,  # noqa: ARG002 - as for content types
        count: int,  # noqa: ARG002 - as for content types
        most: int,
        *,
        is_ranked: bool,
    ) -> Iterable[Hit]:
        """Yield the newest hits, ranked or with the rank 0."""
        further = [self._columns[name] for name in self._texts if name not in self._html]
        found = select(self._id, wire_time(self._date), self._columns[self._title], *further)
        newest = found.where(*self._conditions).order_by(self._date.desc(), self._id.desc())
        parameters = self._finder.prepare(connection, query)
        for item_id, date, title, *texts in connection.execute(newest.limit(most), parameters):
            description = "\n".join(filter(None, texts))
            rank = rank_of(query, title or "", description) if is_ranked else 0.0
            yield Hit(rank, date or "", self._name, item_id)

    def describe(
        self, connection: Connection, ids: Collection[int], query: Query
    ) -> Iterable[dict[str, Any]]:
        """Yield the answer's objects for some hits, without rank and date."""
        for item in self._shape.items(connection.execute(self._shown.where(self._id.in_(ids)))):
            slug = item.get(SLUG_FIELD)
            yield {
                "type": self._name,
                "id": item["id"],
                "slug": slug,
                "title": item[self._title] or "",
                "url": site_address(self._settings, self._path.replace("{slug}", slug or "")),
                "snippet": snippet(self._text(item), query),
                "image": item.get(_IMAGE),
                LANG: item.get(LANG),
                DIR: item.get(DIR),
            }

    def _text(self, item: Mapping[str, Any]) -> str:
        """Return the text that a snippet is a part of."""
        texts = ((name, (item[name] or "")[:MOST_CHARACTERS]) for name in self._texts)
        return "\n".join(plain_text(text) if name in self._html else text for name, text in texts)

    def _fields(self, resource: Resource) -> Iterable[Column]:
        further = {SLUG_FIELD, LANG, DIR}.intersection(resource.public_names)
        for name in ("id", *resource.search_fields, *sorted(further)):
            yield Column(name, resource.columns[name], Str())


def _image(resource: Resource, instance: Instance) -> Iterable[Column]:
    """Yield the first public image of the items, if they have one."""
    public = [f for f in resource.fields if f.public]
    for name in list(image_names(public))[:1]:
        yield images_of(instance).column(_IMAGE, resource.columns[name])
