"""The differences of two states of an item, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from masthead.history.marking import Marked, mark_html, mark_text
from masthead.history.reading import Values
from masthead.history.snapshots import Kept
from masthead.http.images import image_names, images_of
from masthead.instance import instance_of
from masthead.schemas.field_types import FieldType, Str
from masthead.schemas.html_type import Html
from masthead.schemas.schema import Nullable, Object

HTML, TEXT, IMAGE, REFERENCE, VALUE = "html", "text", "image", "reference", "value"
KINDS = (HTML, TEXT, IMAGE, REFERENCE, VALUE)


@dataclass(frozen=True)
class Difference:
    """A field with different values in two states."""

    field: str
    kind: str
    """The form of the comparison, one of ``KINDS``."""
    before: Any
    """The value in the first state; None for HTML and text."""
    after: Any
    html: str | None = None
    """Both texts as one, with marked differences; None if they are too different."""
    markup: bool = False
    """Whether formatting, links or attributes of HTML differ as well."""

    @property
    def too_different(self) -> bool:
        """Whether the texts are too different to be compared by words."""
        return self.kind in (HTML, TEXT) and self.html is None


def compare(session: Session, kept: Kept, before: Values, after: Values) -> list[Difference]:
    """Return the fields that differ between two states of an item, in the order of the fields.

    The members of an object are compared one by one, as ``mission.content``.
    """
    pairs = list(_pairs(kept, before, after))
    addresses = [value for pair in pairs if pair.kind == IMAGE for value in pair.values]
    alts = images_of(instance_of(session)).alternative_texts(session.connection(), addresses)
    found = []
    for name, kind, values in pairs:
        if kind in (HTML, TEXT):
            marked = _marked(session, kind, *values)
            found.append(Difference(name, kind, None, None, marked.html, marked.markup))
            continue
        if kind == IMAGE:
            shown = _Values(*(v and {"address": v, "alt": alts.get(v)} for v in values))
        elif kind == REFERENCE:
            names = {**before.names.get(name, {}), **after.names.get(name, {})}
            shown = _Values(*(_named(value, names) for value in values))
        else:
            shown = values
        found.append(Difference(name, kind, *shown))
    return found


class _Values(NamedTuple):
    before: Any
    after: Any


class _Pair(NamedTuple):
    """A field, the form of its comparison, and its values."""

    name: str
    kind: str
    values: _Values


def _pairs(kept: Kept, before: Values, after: Values) -> Iterator[_Pair]:
    """Yield the fields that differ."""
    fields, images = {f.name: f.kind for f in kept.fields}, image_names(kept.fields)
    for name in (*fields, *sorted(kept.linked)):
        values = _Values(before.fitting.get(name), after.fitting.get(name))
        if values.before == values.after:
            continue
        if name in kept.linked or name in before.names or name in after.names:
            yield _Pair(name, REFERENCE, values)
        elif name in images:
            yield _Pair(name, IMAGE, values)
        else:
            yield from _parts(name, _inner(fields[name]), values)


def _parts(name: str, kind: FieldType, values: _Values) -> Iterator[_Pair]:
    """Yield a field, or the differing members of an object."""
    if isinstance(kind, Object):
        for child in kind.node:
            one, other = ((value or {}).get(child.name) for value in values)
            if one != other:
                yield from _parts(f"{name}.{child.name}", _inner(child.typ), _Values(one, other))
        return
    form = HTML if isinstance(kind, Html) else TEXT if isinstance(kind, Str) else VALUE
    yield _Pair(name, form, values)


def _inner(kind: FieldType) -> FieldType:
    return kind.inner if isinstance(kind, Nullable) else kind


def _marked(session: Session, kind: str, before: Any, after: Any) -> Marked:
    if kind == TEXT:
        return mark_text(before or "", after or "")
    return mark_html(before or "", after or "", instance_of(session).settings)


def _named(value: Any, names: Mapping[str, str]) -> Any:
    """Return the ids of a value with their names."""
    if isinstance(value, list):
        return [_named(each, names) for each in value]
    return None if value is None else {"id": value, "name": names.get(str(value))}
