"""The statements that read a resource for the public, and the types of their answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import colander
from sqlalchemy import ColumnElement, Select, String, bindparam, func, select, true
from sqlalchemy.orm import Session

from masthead.db import by_code_points
from masthead.db.moment import now_parameters
from masthead.errors import Moved, NotFound
from masthead.http.addresses import absolute_html, site_address
from masthead.http.images import image_names, images_of
from masthead.http.list_query import (
    FIELDS,
    HTML,
    IDS,
    INCLUDE,
    SORT,
    UPDATED_SINCE,
    filters,
    presentation,
    sort_parameter,
)
from masthead.http.paging import Page, Totals, Window
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.references.declared import list_shape
from masthead.references.embedding import Embedding
from masthead.references.filtering import filter_key, refer_publicly, reference_filters
from masthead.references.reading import public_columns
from masthead.resources.declaration import Resource
from masthead.resources.former_slugs import FormerSlug
from masthead.resources.kept import PUBLISHED
from masthead.resources.options import PublicRoutes
from masthead.schemas.computed import computed_columns, fill_in
from masthead.schemas.field_types import FieldType
from masthead.schemas.fields import is_html, shown_kind
from masthead.schemas.html_type import Html
from masthead.schemas.json_values import Json
from masthead.schemas.labels import one, sentence, type_name
from masthead.schemas.references import Ref
from masthead.schemas.schema import ListOf, Nullable, Object, optional, schema
from masthead.schemas.shapes import Column, Shape
from masthead.schemas.slugs import SLUG_FIELD

Query = Mapping[str, Any]
_UPDATED = "updatedAt"
_ALWAYS = ("id", "slug")
"""The fields that are read for each item, shown or not, if it has them."""


class PublicReading:
    """The public lists and items of a resource."""

    def __init__(self, resource: Resource, public: PublicRoutes, instance: Instance) -> None:
        self._resource, self._settings = resource, instance.settings
        self._images = images_of(instance)
        self._list = public_shape(resource, instance, detail=False)
        self._detail = public_shape(resource, instance, detail=True)
        self._embedding = Embedding(resource.fields, instance, public=True)
        self._instance = instance
        self._key = resource.columns[public.by]
        has_pages = resource.site_path and public.by == SLUG_FIELD
        self._present_slug = _present_slug(resource) if has_pages else None
        kinds = {column.name: _inner(column.kind) for column in self._detail.columns}
        self._html = [name for name, kind in kinds.items() if is_html(kind)]
        self._sortable = [
            name
            for name, kind in kinds.items()
            if name in resource.columns and not isinstance(kind, _UNSORTED)
        ]

    @property
    def looked_up(self) -> tuple[str, ...]:
        """The fields of one item whose values may depend on other rows."""
        return self._detail.looked_up

    def kinds(self) -> tuple[Object, Object]:
        """Return the types of an item in a list and of one item, which can be one type."""
        it, label = self._resource, one(self._resource)
        meaning = sentence(f"{label}, as the public sees it")
        embedded = self._embedding.members()
        shown = self._detail.named(type_name(it), meaning, embedded)
        further = {
            column.name: optional(column.kind, nullable=False)
            for column in self._detail.columns
            if column.name not in self._list.names
        }
        if not further:
            return shown, shown
        further |= embedded
        summary = sentence(f"{label} in a list")
        return self._list.named(type_name(it, "Summary"), summary, further), shown

    def list_query(self) -> colander.SchemaNode:
        """Return the query of the list."""
        has_updates = _UPDATED in self._detail.names
        query = filters(has_ids=not self._resource.named, has_updates=has_updates)
        query |= reference_filters(self._resource.fields, public=True)
        return schema(query | sort_parameter(self._sortable) | self._presentation())

    def detail_query(self) -> colander.SchemaNode:
        """Return the query of an item alone."""
        return schema(self._presentation())

    def page(self, session: Session, window: Window, query: Query, totals: Totals | None) -> Page:
        """Return a part of the list.

        :param query: the checked parameters.
        :param totals: the counts that are still valid; this count is added to them.
        """
        conditions = list(self._conditions(query))
        counted = select(func.count()).select_from(self._resource.model).where(*conditions)
        now, referring = now_parameters(), filter_key(self._resource.fields, query)
        key = (self._resource.name, query.get(IDS), query.get(UPDATED_SINCE), *referring)
        total = (totals or Totals()).get(
            key, lambda: int(session.execute(counted, now).scalar_one())
        )
        shape = self._chosen(self._list, query)
        found = shape.select().where(*conditions).order_by(*self._order(query.get(SORT, ())))
        rows = session.execute(found.limit(window.limit).offset(window.offset), now).all()
        items = self._present(session, shape, shape.items(rows), query)
        return Page(dump_json(items), total)

    def one(self, session: Session, key: Any, query: Query) -> tuple[Any, dict[str, Any]]:
        """Return the id of an item and the item.

        :param key: the value of the field that items are found by.
        :param query: the checked parameters.
        :raises NotFound: for an item that does not exist or is not published.
        """
        shape = self._chosen(self._detail, query)
        found = shape.select().where(*self._conditions({}), self._key == bindparam("key"))
        items = shape.items(session.execute(found, now_parameters() | {"key": key}).all())
        if not items:
            raise self._missing(session, key)
        item_id = items[0]["id"]
        return item_id, self._present(session, shape, items, query)[0]

    def _presentation(self) -> dict[str, colander.SchemaNode]:
        further = [name for name in self._detail.names if name not in self._list.names]
        shown = presentation(self._detail.names, further, has_html=bool(self._html))
        return shown | self._embedding.parameter()

    def _conditions(self, query: Query) -> Iterator[ColumnElement[bool]]:
        """Yield the conditions of the items that the public sees and that a request selects."""
        columns = self._resource.columns
        yield from public_conditions(self._resource)
        if IDS in query:
            yield columns["id"].in_(query[IDS])
        if UPDATED_SINCE in query:
            yield columns[_UPDATED] >= query[UPDATED_SINCE]
        it = self._resource
        yield from refer_publicly(it.name, it.fields, columns["id"], query, self._instance)

    def _order(self, sort: Collection[tuple[str, bool]]) -> list[Any]:
        """Return the keys of the order; the last one is the id."""
        if not sort:
            return self._resource.ordering(self._resource.model, self._resource.model.id)
        keys, columns = [], self._resource.columns
        for name, down in sort:
            column: Any = columns[name]
            key = by_code_points(column) if isinstance(column.type, String) else column
            directed = key.desc() if down else key.asc()
            keys.append(directed.nulls_last() if column.nullable else directed)
        return [*keys, columns["id"].desc() if down else columns["id"].asc()]

    def _chosen(self, shape: Shape, query: Query) -> Shape:
        """Return the shape of the fields to read."""
        names = query.get(FIELDS) or (*shape.names, *query.get(INCLUDE, ()))
        return self._detail.only({*names, *_ALWAYS, *self._embedding.needed(query)})

    def _present(
        self, session: Session, shape: Shape, items: list[dict[str, Any]], query: Query
    ) -> list[dict[str, Any]]:
        """Complete items that were read, and remove the fields that aren't to be shown.

        :param shape: the fields that were read.
        """
        fill_in(session, items, self._resource.computed, shape.looked_up)
        if self._html:
            self._images.complete_fields(session.connection(), items, self._html)
        if query.get(HTML):
            path = self._resource.site_path or "/"
            for item in items:
                page = site_address(self._settings, path.replace("{slug}", item.get("slug", "")))
                for name in self._html:
                    if item.get(name):
                        item[name] = absolute_html(self._settings, page, item[name])
        self._embedding.add(session, items, query)
        read = {*_ALWAYS, *self._embedding.needed(query)}
        if hidden := read.difference(query.get(FIELDS) or read):
            return [{n: item[n] for n in item if n not in hidden} for item in items]
        return items

    def _missing(self, session: Session, key: Any) -> NotFound:
        """Return the refusal for a key that no item has; an item may have left a slug."""
        if self._present_slug is None:
            return NotFound()
        slug = session.execute(self._present_slug, {"former": key}).scalar_one_or_none()
        if slug is None:
            return NotFound()
        path = self._resource.site_path.replace("{slug}", slug)
        return Moved(slug, path, site_address(self._settings, path))


_UNSORTED = Html | ListOf | Object | Json | Ref


def public_shape(resource: Resource, instance: Instance, *, detail: bool) -> Shape:
    """Return the fields that the public sees, also of a resource without public routes."""
    images, shows = images_of(instance), resource.public.shows if resource.public else ()
    references = public_columns(resource.fields, resource.columns, instance)
    fields = {f.name: f.kind for f in resource.fields if f.public and (detail or f.listed)}
    further = {name: resource.shows[name] for name in shows}
    kinds = {"id": resource.id_kind, **fields, **further}
    beside, columns = image_names(resource.fields), []
    for name, kind in kinds.items():
        columns.append(references.get(name) or _column(resource, name, kind))
        if name in beside:
            columns.append(images.column(beside[name], resource.columns[name]))
    table, computed = resource.model.__table__, resource.computed_fields
    return Shape([*columns, *computed_columns(table, computed, detail=detail, public=True)])


@list_shape.register
def _list_shape(resource: Resource, instance: Instance) -> Shape:
    return public_shape(resource, instance, detail=False)


def _column(resource: Resource, name: str, kind: FieldType) -> Column:
    column: Any = resource.columns[name]
    return Column(name, kind.wire(column), shown_kind(kind))


def _inner(kind: FieldType) -> FieldType:
    return kind.inner if isinstance(kind, Nullable) else kind


def _present_slug(resource: Resource) -> Select[Any]:
    id_, slug = resource.columns["id"], resource.columns[SLUG_FIELD]
    found = select(slug).join_from(id_.table, FormerSlug, FormerSlug.item_id == id_)
    own = FormerSlug.kind == resource.name, FormerSlug.slug == bindparam("former")
    return found.where(*own, *public_conditions(resource))


def public_conditions(resource: Resource) -> Iterator[ColumnElement[bool]]:
    """Yield the condition of the items that the public sees, unless it sees all."""
    if PUBLISHED in resource.columns:
        # With ``is_()`` no database would use a partial index of the published items.
        yield resource.columns[PUBLISHED] == true()
