"""Indexing many new items in one statement, for imports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from masthead.search.index import prepared_index
from masthead.search.searchable import Searchable
from masthead.search.services import text_indexer


def tokenizer(content_type: Searchable) -> Callable[[Mapping[str, Any]], tuple[str, str]]:
    """Return a function that makes the tokens and the n-gram text of an item's values."""
    index = text_indexer(content_type)

    def tokenize(values: Mapping[str, Any]) -> tuple[str, str]:
        indexed = index(values)
        return indexed.tokens, indexed.ngram_text

    return tokenize


def index_new_items(session: Session, content_type: Searchable, texts: Select[Any]) -> None:
    """Index new items that have no staged edits.

    :param texts: selects the items' ids, then the two values from :func:`tokenizer`.
    """
    index = prepared_index(session, content_type.name)
    session.execute(index.add_selected(content_type.name, texts))
