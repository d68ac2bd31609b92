"""Keeping the search index as the content is, in the transaction that changes the content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead.html.plain import plain_text
from masthead.schemas.field_types import FieldType, Html
from masthead.schemas.fields import staged_among
from masthead.search.index import (
    COMMON_SHELF,
    PUBLIC_SHELF,
    SHELVES,
    STAFF_SHELF,
    index_of,
)
from masthead.search.searched import Searched
from masthead.search.tokens import index_text


def index_items(session: Session, content_type: Searched, items: Sequence[Any]) -> None:
    """Let items be found by the text that they have now, live and staged.

    :param items: flushed, as they need their ids.
    """
    index = index_of(session.get_bind().dialect.name)
    if index.prepare is not None:
        session.execute(index.prepare, {"content_type": content_type.name})
    forget_items(session, content_type, [item.id for item in items])
    rows = []
    for item in items:
        for shelf, text in _texts(content_type, item):
            indexed = index_text(text)
            row = _place(content_type, item.id, shelf)
            rows.append(row | {"tokens": index.as_tokens(indexed.tokens), "runs": indexed.runs})
    if rows:
        session.execute(index.add, rows)


def forget_items(session: Session, content_type: Searched, ids: Iterable[int]) -> None:
    """Let items not be found any more."""
    index = index_of(session.get_bind().dialect.name)
    places = [_place(content_type, item_id, shelf) for item_id in ids for shelf in SHELVES]
    if places:
        session.execute(index.remove, places)


def text_reader(content_type: Searched) -> Callable[[Mapping[str, Any]], str]:
    """Return a function that makes the searchable text of an item's values by wire name."""
    html = {f.name for f in content_type.fields if _is_html(f.kind)}

    def read(values: Mapping[str, Any]) -> str:
        found = [(name, values[name]) for name in content_type.search_fields if values[name]]
        return "\n".join([plain_text(text) if name in html else text for name, text in found])

    return read


def _place(content_type: Searched, item_id: int, shelf: int) -> dict[str, Any]:
    return {"content_type": content_type.name, "item_id": item_id, "shelf": shelf}


def _texts(content_type: Searched, item: Any) -> Iterator[tuple[int, str]]:
    """The texts of an item, each with its shelf."""
    values = {f.name: getattr(item, f.attribute) for f in content_type.fields}
    read = text_reader(content_type)
    live = read(values)
    edits = getattr(item, "staged", None)
    staged = live
    if edits:
        counting = staged_among(content_type.fields, edits)
        staged = read(values | {f.name: edits[f.name] for f in counting})
    if live == staged:
        yield COMMON_SHELF, live
    else:
        yield PUBLIC_SHELF, live
        yield STAFF_SHELF, staged


def _is_html(kind: FieldType) -> bool:
    return isinstance(getattr(kind, "inner", kind), Html)
