"""Indexing many new items in one statement, for imports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from masthead.search.index import index_of
from masthead.search.searched import Searched
from masthead.search.services import text_reader
from masthead.search.tokens import index_text


def tokenizer(content_type: Searched) -> Callable[[Mapping[str, Any]], tuple[str, str]]:
    """Return a function that makes the tokens and the runs of an item's values by wire name."""
    read_text = text_reader(content_type)

    def tokenize(values: Mapping[str, Any]) -> tuple[str, str]:
        indexed = index_text(read_text(values))
        return " ".join(indexed.tokens), indexed.runs

    return tokenize


def index_new_items(session: Session, content_type: Searched, texts: Select[Any]) -> None:
    """Index new items that have no staged edits.

    :param texts: selects the items' ids with the tokens and the runs from :func:`tokenizer`.
    """
    index = index_of(session.get_bind().dialect.name)
    if index.prepare is not None:
        session.execute(index.prepare, {"content_type": content_type.name})
    session.execute(index.add_selected(content_type.name, texts))
