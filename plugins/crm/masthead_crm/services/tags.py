"""The tags of contacts, by which lists of them are narrowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, delete, insert
from sqlalchemy.orm import Session

from masthead import fold
from masthead_crm.models import Contact, ContactTag


def link_tags(session: Session, contacts: Sequence[Contact]) -> None:
    """Let contacts be found by the tags, the status and the stage that they have now."""
    ids = [contact.id for contact in contacts]
    session.execute(
        delete(ContactTag)
        .where(ContactTag.item_id.in_(ids))
        .execution_options(synchronize_session=False)
    )
    links = [
        {
            "item_id": contact.id,
            "tag_key": key,
            "created_at": contact.created_at,
            "status": contact.status,
            "stage_id": contact.stage_id,
        }
        for contact in contacts
        for key in dict.fromkeys(map(fold, contact.tags))
    ]
    if links:
        session.execute(insert(ContactTag), links)


def tagged(source: Any, tag: str) -> ColumnElement[bool]:
    """Whether contacts have a tag, in any case of letters."""
    condition: ColumnElement[bool] = source.tag_key == fold(tag)
    return condition
