"""Copies of items, which staff use as the beginning of new ones."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.i18n.messages import translatable
from masthead.i18n.texts import texts_of
from masthead.instance import instance_of
from masthead.references.checking import without_missing
from masthead.resources.declaration import Resource
from masthead.resources.kept import PUBLISHED
from masthead.resources.schemas import create_body
from masthead.resources.services import create_items
from masthead.schemas.field_types import Str
from masthead.schemas.fields import Field
from masthead.schemas.schema import bound, load
from masthead.schemas.slugs import SLUG_FIELD

_COPY = translatable("%(title)s (copy)")


def title_of_copy(session: Session, field: Field, title: str, language: str | None) -> str:
    """Return the title of a copy of an item, which is no longer than the field allows.

    :param language: the tag of the item's language; None for that of the organisation.
    """
    texts = texts_of(session)

    def marked(text: str) -> str:
        return texts.translate(texts.language(language), _COPY, title=text)

    copied = marked(title)
    limit = field.kind.max_length if isinstance(field.kind, Str) else len(copied)
    too_many = max(0, len(copied) - limit)
    return marked(title[: len(title) - too_many].rstrip()) if too_many else copied


def copy_item(session: Session, resource: Resource, item: Any, caller: Caller | None) -> Any:
    """Create a copy of an item, which isn't public and has a slug of its own, and return it.

    :raises Invalid: for values that are refused today.
    """
    copies = resource.copies
    assert copies is not None
    left_out = {SLUG_FIELD, PUBLISHED, *copies.without}
    values = {
        f.name: f.kind.dump(getattr(item, f.attribute))
        for f in resource.fields
        if f.name not in left_out
    }
    [titled] = (f for f in resource.fields if f.name == copies.title)
    language = getattr(item, "lang", None)
    values[copies.title] = title_of_copy(session, titled, values[copies.title], language)
    body = bound(create_body(resource), instance_of(session).settings)
    values = without_missing(session, resource.fields, values)
    [copied] = create_items(session, resource, [load(body, values)], caller)
    return copied
