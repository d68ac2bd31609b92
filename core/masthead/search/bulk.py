"""Letting many new items be found at once, as imports need it: in one statement."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    func,
    insert,
    literal,
    select,
    text,
)
from sqlalchemy.orm import Session

from masthead.content_version import PRIVATE
from masthead.search.index import COMMON_SHELF, index_of
from masthead.search.tokens import index_text

# Rows of it change with what they are made from only, so they leave what is cached.
_SQLITE = Table(
    "core_search",
    MetaData(),
    Column("rowid", BigInteger),
    Column("tokens", Text),
    Column("runs", Text),
    info=PRIVATE,
)
_POSTGRESQL = Table(
    "core_search",
    MetaData(),
    Column("item_id", BigInteger),
    Column("content_type", Text),
    Column("shelf", Integer),
    Column("tokens", Text),
    Column("runs", Text),
    info=PRIVATE,
)


def ready_tokens(*texts: str | None) -> tuple[str, str]:
    """What :func:`index_selected` takes of the texts of an item: its tokens, and its runs."""
    indexed = index_text("\n".join(text for text in texts if text))
    return " ".join(indexed.tokens), indexed.runs


def index_selected(session: Session, name: str, texts: Select[Any]) -> None:
    """Let new items be found, of whose kind nothing is staged.

    :param name: of the resource that they belong to.
    :param texts: selects the items' ids, then what :func:`ready_tokens` made of their texts.
    """
    dialect = session.get_bind().dialect.name
    prepare = index_of(dialect).prepare
    if prepare is not None:
        session.execute(prepare, {"content_type": name})
    item_id, tokens, runs = texts.subquery().c
    if dialect == "sqlite":
        place = text("SELECT (id * 3 + :shelf) << 47 FROM core_search_type WHERE name = :name")
        first = place.bindparams(shelf=COMMON_SHELF, name=name).columns(place=BigInteger())
        rows = select(first.scalar_subquery().op("|")(item_id), tokens, runs)
        session.execute(insert(_SQLITE).from_select(["rowid", "tokens", "runs"], rows))
        return
    vector = func.array_to_tsvector(func.string_to_array(tokens, " "))
    rows = select(item_id, literal(name), literal(COMMON_SHELF), vector, runs)
    columns = ["item_id", "content_type", "shelf", "tokens", "runs"]
    session.execute(insert(_POSTGRESQL).from_select(columns, rows))
