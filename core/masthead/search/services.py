"""Keeping the search index up to date, in the transaction that changes an item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead.html.plain import plain_text
from masthead.schemas.fields import is_html, staged_among
from masthead.search.index import (
    AUDIENCES,
    EVERYBODY,
    PUBLIC_ONLY,
    STAFF_ONLY,
    index_of,
    prepared_index,
)
from masthead.search.searchable import LinkedText, Searchable
from masthead.search.tokens import Indexed, index_text, join_indexed

_NO_TEXT = LinkedText("", "")


def index_items(session: Session, content_type: Searchable, items: Sequence[Any]) -> None:
    """Index the present text of items, live and staged, instead of their earlier text.

    :param items: flushed items, which have their ids.
    """
    forget_items(session, content_type, [item.id for item in items])
    linked = content_type.linked_texts(session, items)
    found = [
        (item.id, audience, index_text(text))
        for item in items
        for audience, text in _texts(content_type, item, linked.get(item.id, _NO_TEXT))
    ]
    _add(session, content_type, found)


def index_new(
    session: Session, content_type: Searchable, items: Sequence[Any], texts: Sequence[Indexed]
) -> None:
    """Index items that the transaction has created, and that have no staged edits.

    :param items: flushed items, which have their ids.
    :param texts: the indexed form of their own text, as :func:`text_indexer` makes it.
    """
    linked = content_type.linked_texts(session, items)
    found = [
        (item.id, EVERYBODY, _joined(linked[item.id].live, text))
        for item, text in zip(items, texts, strict=True)
    ]
    _add(session, content_type, found)


def _joined(linked: str, own: Indexed) -> Indexed:
    return join_indexed(index_text(linked), own) if linked else own


def _add(
    session: Session, content_type: Searchable, found: Sequence[tuple[int, int, Indexed]]
) -> None:
    """Add texts to the index, each with the id of its item and its audience."""
    index = prepared_index(session, content_type.name)
    rows = [
        _key(content_type, item_id, audience)
        | {"tokens": text.tokens, "ngram_text": text.ngram_text}
        for item_id, audience, text in found
    ]
    if rows:
        session.execute(index.add, rows)


def forget_items(session: Session, content_type: Searchable, ids: Iterable[int]) -> None:
    """Remove items from the index."""
    index = index_of(session.get_bind().dialect.name)
    keys = [_key(content_type, item_id, audience) for item_id in ids for audience in AUDIENCES]
    if keys:
        session.execute(index.remove, keys)


def text_reader(content_type: Searchable) -> Callable[[Mapping[str, Any]], str]:
    """Return a function that makes the searchable text of an item's values by wire name."""
    html = {f.name for f in content_type.fields if is_html(f.kind)}

    def read(values: Mapping[str, Any]) -> str:
        found = [(name, values[name]) for name in content_type.search_fields if values[name]]
        return "\n".join([plain_text(text) if name in html else text for name, text in found])

    return read


def text_indexer(content_type: Searchable) -> Callable[[Mapping[str, Any]], Indexed]:
    """Return a function that makes the indexed form of an item's values by wire name."""
    read = text_reader(content_type)
    return lambda values: index_text(read(values))


def _key(content_type: Searchable, item_id: int, audience: int) -> dict[str, Any]:
    return {"content_type": content_type.name, "item_id": item_id, "audience": audience}


def _texts(content_type: Searchable, item: Any, linked: LinkedText) -> Iterator[tuple[int, str]]:
    """Yield the texts of an item, each with its audience."""
    values = {f.name: getattr(item, f.attribute) for f in content_type.fields}
    read = text_reader(content_type)
    # First, because the end of a very long text isn't indexed.
    live = staged = f"{linked.live}\n{read(values)}"
    edits = getattr(item, "staged", None)
    if edits:
        counting = staged_among(content_type.fields, edits)
        edited = values | {f.name: edits[f.name] for f in counting}
        staged = f"{linked.staged}\n{read(edited)}"
    if live == staged:
        yield EVERYBODY, live
    else:
        yield PUBLIC_ONLY, live
        yield STAFF_ONLY, staged
