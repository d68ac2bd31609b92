"""The items that others refer to, embedded in answers by the query parameter ``embed``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import colander
from sqlalchemy import BindParameter, bindparam
from sqlalchemy.orm import Session

from masthead.db.moment import now_parameters
from masthead.http.images import images_of
from masthead.http.list_query import EMBED, Names
from masthead.instance import Instance
from masthead.references.declared import Kind, declared_in, list_shape
from masthead.references.fields import Reference, references_of
from masthead.schemas.computed import fill_in
from masthead.schemas.fields import Field, is_html
from masthead.schemas.labels import one, sentence, type_name
from masthead.schemas.schema import ListOf, Nullable, optional
from masthead.schemas.shapes import Shape

_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_AT_ONCE = 5_000
"""The number of ids per query, because databases limit the parameters of a statement."""


class Embedding:
    """The embedded items of a content type or resource.

    They have the fields that public lists show. The public gets those that it sees; staff get all
    if they may read the items.
    """

    def __init__(self, fields: Iterable[Field], instance: Instance, *, public: bool) -> None:
        kinds = declared_in(instance).kinds
        found = [
            _Embedded(it, kinds[it.target], instance)
            for it in references_of(fields)
            if it.target in kinds and (it.field.public or not public)
        ]
        self._embedded = {
            each.reference.embedded_as: each
            for each in found
            if each.seen is not None or not public
        }
        self._public = public
        self.fields: Mapping[str, str] = {
            name: each.reference.name for name, each in self._embedded.items()
        }
        """The fields with the ids, by the names of the embedded items."""

    def parameter(self) -> dict[str, colander.SchemaNode]:
        """Return the query parameter; nothing if there is nothing to embed."""
        if not self._embedded:
            return {}
        meaning = "The items that the answer embeds beside the fields with their ids."
        names = Names(*self._embedded)
        example = [next(iter(self._embedded))]
        return {EMBED: optional(names, nullable=False, help=meaning, example=example)}

    def members(self) -> dict[str, colander.SchemaNode]:
        """Return the members of an answer for embedded items."""
        return {name: each.member(self._public) for name, each in self._embedded.items()}

    def needed(self, query: Mapping[str, Any]) -> set[str]:
        """Return the names of the fields that have to be read for a query."""
        return {self.fields[name] for name in query.get(EMBED, ())}

    def add(
        self,
        session: Session,
        items: Sequence[dict[str, Any]],
        query: Mapping[str, Any],
        permissions: Collection[str] = (),
    ) -> None:
        """Add the embedded items that a query names to answers that have the ids.

        :param permissions: those of a member of staff, who also reads items that the public
            doesn't see; without any, only the public's items are embedded.
        """
        for name in query.get(EMBED, ()):
            each = self._embedded[name]
            is_public = self._public or each.kind.read_permission not in permissions
            each.add(session, items, name, public=is_public)


@dataclass(frozen=True)
class _Embedded:
    """The embedded items of one field."""

    reference: Reference
    kind: Kind
    instance: Instance

    @cached_property
    def seen(self) -> Any:
        return self.kind.seen(self.kind.model.__table__)

    @cached_property
    def _shape(self) -> Shape:
        return list_shape(self.kind, self.instance)

    def member(self, public: bool) -> colander.SchemaNode:
        name, label = type_name(self.kind, "Embedded"), one(self.kind)
        meaning = sentence(f"{label} in the answer about an item that refers to it")
        item = self._shape.named(name, meaning)
        kind = ListOf(item) if self.reference.is_list else Nullable(item)
        seen = ", as far as the public sees them" if public else ", as far as the caller sees them"
        what = "items" if self.reference.is_list else "item"
        text = f"The {what} of `{self.reference.name}`{seen}, if `embed` names it."
        return optional(kind, nullable=False, help=text)

    def add(
        self, session: Session, items: Sequence[dict[str, Any]], name: str, *, public: bool
    ) -> None:
        wanted = {i for item in items for i in self.reference.ids(item[self.reference.name])}
        found = self._read(session, sorted(wanted), public=public)
        for item in items:
            ids = self.reference.ids(item[self.reference.name])
            embedded = [found[each] for each in ids if each in found]
            item[name] = embedded if self.reference.is_list else next(iter(embedded), None)

    def _read(
        self, session: Session, ids: Sequence[int], *, public: bool
    ) -> dict[int, dict[str, Any]]:
        """Return items by id, with one query, and one call for each field of a batch."""
        table, seen = self.kind.model.__table__, self.seen
        if not ids or (public and seen is None):
            return {}
        rows = self._shape.select().where(table.c.id.in_(_IDS))
        rows, connection = (rows.where(seen) if public else rows), session.connection()
        found: list[dict[str, Any]] = []
        for start in range(0, len(ids), _AT_ONCE):
            parameters: dict[str, Any] = {_IDS.key: list(ids[start : start + _AT_ONCE])}
            found += self._shape.items(connection.execute(rows, parameters | now_parameters()))
        fill_in(session, found, self.kind.computed, self._shape.looked_up)
        html = [column.name for column in self._shape.columns if is_html(column.kind)]
        images_of(self.instance).complete_fields(connection, found, html)
        return {item["id"]: item for item in found}
