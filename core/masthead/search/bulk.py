"""Letting many new items be found at once, as imports need it: in one statement."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from masthead.search.index import index_of
from masthead.search.tokens import index_text


def ready_tokens(*texts: str | None) -> tuple[str, str]:
    """What :func:`index_selected` takes of the texts of an item: its tokens, and its runs."""
    indexed = index_text("\n".join(text for text in texts if text))
    return " ".join(indexed.tokens), indexed.runs


def index_selected(session: Session, name: str, texts: Select[Any]) -> None:
    """Let new items be found, of whose kind nothing is staged.

    :param name: of the resource that they belong to.
    :param texts: selects the items' ids, then what :func:`ready_tokens` made of their texts.
    """
    index = index_of(session.get_bind().dialect.name)
    if index.prepare is not None:
        session.execute(index.prepare, {"content_type": name})
    session.execute(index.add_selected(name, texts))
