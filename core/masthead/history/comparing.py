"""The differences of two states of an item, field by field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from masthead.history.marking import Marked, mark_html, mark_text
from masthead.history.reading import Values
from masthead.history.snapshots import Kept, Names
from masthead.http.images import image_names, images_of
from masthead.instance import instance_of
from masthead.schemas.field_types import FieldType, Html, Str
from masthead.schemas.fields import Field
from masthead.schemas.schema import Nullable

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
    """Return the fields that differ between two states of an item, in the order of the fields."""
    fields = {f.name: f for f in kept.fields}
    one, two = before.fitting, after.fitting
    changed = [name for name in (*fields, *sorted(kept.linked)) if one.get(name) != two.get(name)]
    kinds = {name: _kind(kept, name, (before.names, after.names)) for name in changed}
    images = [each.get(n) for n in changed if kinds[n] == IMAGE for each in (one, two)]
    described = images_of(instance_of(session)).alternative_texts(session.connection(), images)
    names = {name: {**before.names.get(name, {}), **after.names.get(name, {})} for name in changed}
    found = []
    for name in changed:
        pair, kind = (one.get(name), two.get(name)), kinds[name]
        if kind in (HTML, TEXT):
            marked = _marked(session, kind, *pair)
            found.append(Difference(name, kind, None, None, marked.html, marked.markup))
        elif kind == IMAGE:
            one_image, two_image = (v and {"address": v, "alt": described.get(v)} for v in pair)
            found.append(Difference(name, kind, one_image, two_image))
        elif kind == REFERENCE:
            former, latter = (_named(value, names[name]) for value in pair)
            found.append(Difference(name, kind, former, latter))
        else:
            found.append(Difference(name, kind, *pair))
    return found


def _kind(kept: Kept, name: str, names: Collection[Names]) -> str:
    if name in kept.linked or any(name in each for each in names):
        return REFERENCE
    if name in image_names(kept.fields):
        return IMAGE
    kind = _inner({f.name: f for f in kept.fields}[name])
    if isinstance(kind, Html):
        return HTML
    return TEXT if isinstance(kind, Str) else VALUE


def _inner(field: Field) -> FieldType:
    return field.kind.inner if isinstance(field.kind, Nullable) else field.kind


def _marked(session: Session, kind: str, before: Any, after: Any) -> Marked:
    if kind == TEXT:
        return mark_text(before or "", after or "")
    return mark_html(before or "", after or "", instance_of(session).settings)


def _named(value: Any, names: Mapping[str, str]) -> Any:
    """Return the ids of a value with their names."""
    if isinstance(value, list):
        return [_named(each, names) for each in value]
    return None if value is None else {"id": value, "name": names.get(str(value))}
