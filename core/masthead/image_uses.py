"""What names an image: found in every field of content and resources that can hold an address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os.path import commonpath
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, inspect, literal, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from masthead.approval.declaration import Approvable
from masthead.fields import FieldOptions
from masthead.hookspecs import hookimpl
from masthead.images import ImageUse
from masthead.instance import Instance, instance_of
from masthead.resources.declaration import Resource
from masthead.schemas import Html, ListOf, Object, Url

_KINDS = (Url, Html, ListOf, Object)
_STAGED = "staged"


@hookimpl
def masthead_image_uses(session: Session, paths: Sequence[str]) -> list[ImageUse]:
    """Uses in what the enabled plugins declare with ``field()``, staged edits included."""
    if not paths:
        return []
    instance = instance_of(session)
    names = {each.model: each.name for each in _declared(instance)}
    return [
        use
        for model in _models(instance)
        for use in _uses_in(session, model, names.get(model, model.__tablename__), paths)
    ]


def _declared(instance: Instance) -> list[Approvable | Resource]:
    return [*instance.content_types.values(), *instance.resources.values()]


def _models(instance: Instance) -> Iterator[Any]:
    for plugin in instance.plugins:
        if plugin.base is not None:
            # They come in no order, and answers should have one.
            models = [mapper.class_ for mapper in plugin.base.registry.mappers]
            yield from sorted(models, key=lambda model: model.__tablename__)


def _uses_in(session: Session, model: Any, name: str, paths: Sequence[str]) -> Iterator[ImageUse]:
    columns = [cast(column, Text) for column in _columns(model)]
    if not columns:
        return
    [key] = inspect(model).primary_key
    common = commonpath(list(paths))
    named = or_(*(column.contains(common, autoescape=True) for column in columns))
    for item_id, title, *texts in session.execute(
        select(key, _title(model), *columns).where(named).order_by(key)
    ):
        found = "\n".join(text for text in texts if text)
        yield from (ImageUse(path, name, item_id, title or "") for path in paths if path in found)


def _columns(model: Any) -> Iterator[InstrumentedAttribute[Any]]:
    """Those that may hold an address."""
    for attribute in inspect(model).column_attrs:
        options: FieldOptions | None = attribute.columns[0].info.get("field")
        held = options is not None and isinstance(options.kind, _KINDS)
        if held or (attribute.key == _STAGED and options is None):
            yield getattr(model, attribute.key)


def _title(model: Any) -> ColumnElement[Any]:
    attributes = inspect(model).column_attrs
    named = [name for name in ("title", "name", "label", "subject") if name in attributes]
    return getattr(model, named[0]) if named else literal("")
