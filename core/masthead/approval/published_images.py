"""The images in values that are about to become public, with their alternative texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from masthead.approval.publications import PublishedImage
from masthead.html.markup import attributes_of, tokens
from masthead.http.images import images_of, is_image
from masthead.instance import instance_of
from masthead.schemas.field_types import FieldType
from masthead.schemas.fields import Field
from masthead.schemas.html_type import Html
from masthead.schemas.schema import ListOf, Nullable, Object


class _Found(NamedTuple):
    """An image in a value; ``alt`` is the text of its tag, None for none."""

    field: str
    address: str
    alt: str | None


def images_in(
    session: Session, fields: Sequence[Field], items: Sequence[Mapping[str, Any]]
) -> list[tuple[PublishedImage, ...]]:
    """Return the images in each of some items, with one query for all of them.

    :param items: JSON values by wire name.
    """
    kinds = {field.name: field.kind for field in fields}
    found = [
        [
            image
            for name, value in values.items()
            if name in kinds
            for image in _find(kinds[name], name, name, value)
        ]
        for values in items
    ]
    addresses = [image.address for images in found for image in images]
    if not addresses:
        return [()] * len(found)
    known = images_of(instance_of(session)).alternative_texts(session.connection(), addresses)
    return [
        tuple(
            PublishedImage(
                it.field,
                it.address,
                known.get(it.address) if it.alt is None else it.alt,
                is_stored=it.address in known,
            )
            for it in images
        )
        for images in found
    ]


def _find(kind: FieldType, name: str, path: str, value: Any) -> Iterator[_Found]:
    """Yield the images in a value of a type.

    :param name: the wire name of the field, also if the value is an element of it.
    :param path: the path of the value.
    """
    inner = kind.inner if isinstance(kind, Nullable) else kind
    if not value:
        return
    if is_image(name, inner):
        yield _Found(path, value, None)
    elif isinstance(inner, Html):
        yield from _in_html(path, value)
    elif isinstance(inner, ListOf):
        for index, element in enumerate(value):
            yield from _find(inner.inner, name, f"{path}.{index}", element)
    elif isinstance(inner, Object):
        for node in inner.node.children:
            yield from _find(node.typ, node.name, f"{path}.{node.name}", value.get(node.name))


def _in_html(path: str, html: str) -> Iterator[_Found]:
    if "<img" not in html:
        return
    for _, tag, source, is_end, _ in tokens(html):
        if tag == "img" and not is_end:
            given = attributes_of(source)
            if "src" in given:
                yield _Found(path, given["src"], given.get("alt"))
