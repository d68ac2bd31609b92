"""The search for uses of stored images in the tables of all plugins.

It covers each field of content and resources that can hold an address, and each text column of
disabled plugins: their fields are not known, and no image may be missing when they are enabled
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonpath
from typing import Any

from sqlalchemy import (
    ARRAY,
    JSON,
    ColumnElement,
    Connection,
    String,
    Text,
    cast,
    column,
    inspect,
    literal,
    or_,
    select,
    table,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from masthead.approval.declaration import Approvable
from masthead.db.history import tables_of_others
from masthead.hookspecs import hookimpl
from masthead.http.permissions import ADMIN
from masthead.instance import Instance, instance_of
from masthead.ports.images import ImageUse
from masthead.resources.declaration import Resource
from masthead.schemas.field_types import Url
from masthead.schemas.fields import FieldOptions
from masthead.schemas.html_type import Html
from masthead.schemas.schema import ListOf, Object

_KINDS = (Url, Html, ListOf, Object)
_STAGED = "staged"
_TITLES = ("title", "name", "label", "subject")
_AREA = "__area__"
"""The attribute of a model without a resource that names the area of its permissions; without it,
only administrators see which of its rows use an image."""


@dataclass(frozen=True)
class _Source:
    """A table whose rows can name images."""

    kind: str
    permission: str
    key: ColumnElement[Any]
    title: ColumnElement[Any]
    texts: Sequence[ColumnElement[Any]]


@hookimpl
def masthead_image_uses(session: Session, paths: Sequence[str]) -> list[ImageUse]:
    """Return the uses in fields, staged edits and tables of disabled plugins."""
    if not paths:
        return []
    instance = instance_of(session)
    sources = [*_declared(instance), *_undeclared(session.connection(), instance)]
    return [use for source in sources for use in _uses_in(session, source, paths)]


def _declared(instance: Instance) -> Iterator[_Source]:
    declared: list[Approvable | Resource] = [
        *instance.content_types.values(),
        *instance.resources.values(),
    ]
    by_model = {each.model: each for each in declared}
    for model in _models(instance):
        if texts := [cast(each, Text) for each in _columns(model)]:
            [key] = inspect(model).primary_key
            title = _title({each.key: each.expression for each in inspect(model).column_attrs})
            name, permission = _named(by_model.get(model), model)
            yield _Source(name, permission, key, title, texts)


def _named(declaration: Approvable | Resource | None, model: Any) -> tuple[str, str]:
    """Return the name of a kind of items, and the permission that reading them needs."""
    if declaration is not None:
        return declaration.name, declaration.read_permission
    area = getattr(model, _AREA, None)
    return model.__tablename__, f"{area}.read" if area else ADMIN


def _models(instance: Instance) -> Iterator[Any]:
    for plugin in instance.plugins:
        if plugin.base is not None:
            # The registry has no order, and answers need one.
            models = [mapper.class_ for mapper in plugin.base.registry.mappers]
            yield from sorted(models, key=lambda model: model.__tablename__)


def _columns(model: Any) -> Iterator[InstrumentedAttribute[Any]]:
    """Yield the columns that can hold an address."""
    for attribute in inspect(model).column_attrs:
        options: FieldOptions | None = attribute.columns[0].info.get("field")
        held = options is not None and isinstance(options.kind, _KINDS)
        if held or (attribute.key == _STAGED and options is None):
            yield getattr(model, attribute.key)


def _undeclared(connection: Connection, instance: Instance) -> Iterator[_Source]:
    """Yield the tables of disabled plugins, as the database describes them."""
    inspector = inspect(connection)
    for name in sorted(tables_of_others(inspector.get_table_names(), instance.plugins)):
        described = {each["name"]: each["type"] for each in inspector.get_columns(name)}
        columns = table(name, *map(column, described)).c
        texts = {
            each: cast(columns[each], Text)
            for each, kind in described.items()
            if isinstance(kind, String | JSON | ARRAY)
        }
        [key] = (inspector.get_pk_constraint(name)["constrained_columns"] or list(described))[:1]
        if texts:
            # The permissions of disabled plugins are unknown.
            yield _Source(name, ADMIN, columns[key], _title(texts), list(texts.values()))


def _title(columns: Mapping[str, ColumnElement[Any]]) -> ColumnElement[Any]:
    return next((columns[name] for name in _TITLES if name in columns), literal(""))


def _uses_in(session: Session, source: _Source, paths: Sequence[str]) -> Iterator[ImageUse]:
    common = commonpath(list(paths))
    named = or_(*(text.contains(common, autoescape=True) for text in source.texts))
    for item_id, title, *texts in session.execute(
        select(source.key, source.title, *source.texts).where(named).order_by(source.key)
    ):
        found = "\n".join(text for text in texts if text)
        yield from (
            ImageUse(path, source.kind, item_id, title or "", source.permission)
            for path in paths
            if path in found
        )
