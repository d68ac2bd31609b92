"""The texts about the organisation: mission, history and values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import images_of, instance_of, lock
from masthead_site.models import HISTORY, MISSION, AboutText, Value

EMPTY = {"title": "", "content": ""}


def read_about(session: Session) -> dict[str, Any]:
    """Return texts and values by wire name; a text that was never written is blank."""
    values = session.scalars(select(Value).order_by(Value.order, Value.id)).all()
    return {**read_texts(session), "values": values}


def read_public_about(session: Session) -> dict[str, Any]:
    """Return the same with the sizes of stored images in HTML."""
    found = read_about(session)
    texts = [_plain(found[name]) for name in (MISSION, HISTORY)]
    images_of(instance_of(session)).complete_fields(session.connection(), texts, ["content"])
    return {**found, MISSION: texts[0], HISTORY: texts[1]}


def _plain(text: Any) -> dict[str, Any]:
    return dict(EMPTY) if text is EMPTY else {"title": text.title, "content": text.content}


def read_texts(session: Session) -> dict[str, Any]:
    """Return the texts by name."""
    stored: dict[str, Any] = {text.name: text for text in session.scalars(select(AboutText))}
    return {name: stored.get(name, EMPTY) for name in (MISSION, HISTORY)}


def revision_of_texts(session: Session) -> int:
    """Return the revision of both texts together, which each change of one raises."""
    return session.scalar(select(func.sum(AboutText.revision))) or 0


def lock_texts(session: Session) -> int:
    """Lock the texts against other writers, and return their revision."""
    # Two concurrent first writes would both insert.
    lock(session, "site.about")
    return revision_of_texts(session)


def write_texts(session: Session, sent: Mapping[str, Any]) -> None:
    """Change the texts that were sent, which are locked.

    :param sent: title, content or both, by the text's name; None clears either, or the whole text.
    """
    for name, changes in sent.items():
        text = session.get(AboutText, name) or AboutText(name=name, revision=0)
        session.add(text)
        for field, value in (EMPTY if changes is None else changes).items():
            setattr(text, field, value or "")
        if session.is_modified(text):
            text.revision += 1
    session.flush()
