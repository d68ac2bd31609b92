"""The statements that read a resource for the public, and the types of their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, bindparam, func, select, true
from sqlalchemy.orm import Session

from masthead.errors import Moved, NotFound
from masthead.http.addresses import site_address
from masthead.http.paging import Page, Totals, Window
from masthead.instance import instance_of
from masthead.resources.declaration import PUBLISHED, PublicRoutes, Resource
from masthead.resources.former_slugs import FormerSlug
from masthead.schemas.field_types import FieldType
from masthead.schemas.fields import shown_kind
from masthead.schemas.schema import Object, required, schema
from masthead.schemas.slugs import SLUG_FIELD


class PublicReading:
    """The public lists and items of a resource, read by statements that are built once."""

    def __init__(self, resource: Resource, public: PublicRoutes) -> None:
        self._name, model = resource.name, resource.model
        listed = _shown(resource, public, detail=False)
        detail = _shown(resource, public, detail=True)
        self.list_kind, self.detail_kind = _answer(listed), _answer(detail)
        self._count = _visible(resource, select(func.count()).select_from(model))
        ordered = _items(resource, listed).order_by(*resource.ordering(model, model.id))
        self._list = ordered.limit(bindparam("limit")).offset(bindparam("offset"))
        key = resource.columns[public.by]
        self._detail = _items(resource, detail).where(key == bindparam("key"))
        self._site_path = resource.site_path if public.by == SLUG_FIELD else ""
        self._present_slug = _present_slug(resource) if self._site_path else None

    def page(self, session: Session, window: Window, totals: Totals | None) -> Page:
        """Return a part of the list.

        :param totals: the counts that are still valid; this count is added to them.
        """
        total = (totals or Totals()).get(
            (self._name,), lambda: int(session.execute(self._count).scalar_one())
        )
        bounds = {"limit": window.limit, "offset": window.offset}
        return Page(session.execute(self._list, bounds).mappings().all(), total)

    def one(self, session: Session, key: Any) -> dict[str, Any]:
        """Return one item.

        :param key: the value of the field that items are found by.
        :raises NotFound: for an item that does not exist or is not published.
        """
        item = session.execute(self._detail, {"key": key}).mappings().one_or_none()
        if item is None:
            raise self._missing(session, key)
        return dict(item)

    def _missing(self, session: Session, key: Any) -> NotFound:
        """Return the refusal for a key that no item has; an item may have left a slug."""
        if self._present_slug is None:
            return NotFound()
        slug = session.execute(self._present_slug, {"former": key}).scalar_one_or_none()
        if slug is None:
            return NotFound()
        path = self._site_path.replace("{slug}", slug)
        return Moved(slug, path, site_address(instance_of(session).settings, path))


def _shown(resource: Resource, public: PublicRoutes, *, detail: bool) -> dict[str, FieldType]:
    """Return the types of the values that the public sees, by wire name."""
    fields = {f.name: f.kind for f in resource.fields if f.public and (detail or f.listed)}
    further = {name: resource.shows[name] for name in public.shows}
    return {"id": resource.id_kind, **fields, **further}


def _answer(shown: Mapping[str, FieldType]) -> Object:
    return Object(schema({name: required(shown_kind(kind)) for name, kind in shown.items()}))


def _items(resource: Resource, shown: Mapping[str, FieldType]) -> Select[Any]:
    return _visible(resource, select(*(resource.columns[name].label(name) for name in shown)))


def _present_slug(resource: Resource) -> Select[Any]:
    id_, slug = resource.columns["id"], resource.columns[SLUG_FIELD]
    found = select(slug).join_from(id_.table, FormerSlug, FormerSlug.item_id == id_)
    own = FormerSlug.kind == resource.name, FormerSlug.slug == bindparam("former")
    return _visible(resource, found.where(*own))


def _visible(resource: Resource, statement: Select[Any]) -> Select[Any]:
    """Return the statement for those items only that the public may see."""
    if PUBLISHED not in resource.columns:
        return statement
    # With ``is_()`` no database would use a partial index of the published items.
    return statement.where(resource.columns[PUBLISHED] == true())
