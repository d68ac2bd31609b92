"""What the website says about the organisation: mission, history and values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import lock
from masthead_site.models import HISTORY, MISSION, AboutText, Value

EMPTY = {"title": "", "content": ""}


def about(session: Session) -> dict[str, Any]:
    """Everything, by wire name; texts that nobody has written are blank."""
    values = session.scalars(select(Value).order_by(Value.order, Value.id)).all()
    return {**texts(session), "values": values}


def texts(session: Session) -> dict[str, Any]:
    """The texts, by name."""
    stored: dict[str, Any] = {text.name: text for text in session.scalars(select(AboutText))}
    return {name: stored.get(name, EMPTY) for name in (MISSION, HISTORY)}


def update_texts(session: Session, sent: Mapping[str, Any]) -> None:
    """Change what is sent of the texts.

    :param sent: title, content or both, by the text's name; None clears either, or the whole text.
    """
    # Two first writes at once would both insert.
    lock(session, "site.about")
    for name, changes in sent.items():
        text = session.get(AboutText, name) or AboutText(name=name)
        for field, value in (EMPTY if changes is None else changes).items():
            setattr(text, field, value or "")
        session.add(text)
    session.flush()
