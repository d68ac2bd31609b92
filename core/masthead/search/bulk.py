"""Indexing many new items in one statement, for imports."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from masthead.search.index import prepared_index
from masthead.search.tokens import index_text


def ready_tokens(*texts: str | None) -> tuple[str, str]:
    """Return the tokens and the n-gram text of an item's texts, for :func:`index_selected`."""
    indexed = index_text("\n".join(text for text in texts if text))
    return " ".join(indexed.tokens), indexed.ngram_text


def index_selected(session: Session, name: str, texts: Select[Any]) -> None:
    """Index new items that have no staged edits.

    :param name: the name of their resource.
    :param texts: selects the items' ids, then the two values that :func:`ready_tokens` returned.
    """
    index = prepared_index(session, name)
    session.execute(index.add_selected(name, texts))
