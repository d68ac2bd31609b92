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
from masthead.search.tokens import index_text

_NO_TEXT = LinkedText("", "")


def index_items(
    session: Session, content_type: Searchable, items: Sequence[Any], *, are_new: bool = False
) -> None:
    """Index the present text of items, live and staged, instead of their earlier text.

    :param items: flushed items, which have their ids.
    :param are_new: whether the transaction has created them, so that they have no earlier text.
    """
    index = prepared_index(session, content_type.name)
    if not are_new:
        forget_items(session, content_type, [item.id for item in items])
    linked = content_type.linked_texts(session, items)
    rows = []
    for item in items:
        for audience, text in _texts(content_type, item, linked.get(item.id, _NO_TEXT)):
            indexed = index_text(text)
            tokens = index.as_tokens(indexed.tokens)
            key = _key(content_type, item.id, audience)
            rows.append(key | {"tokens": tokens, "ngram_text": indexed.ngram_text})
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
