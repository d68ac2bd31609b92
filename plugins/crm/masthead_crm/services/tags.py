"""The links from tags to contacts, by which lists are filtered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, delete, insert
from sqlalchemy.orm import Session

from masthead import fold_name
from masthead_crm.models import Contact, ContactTag


def tag_keys(tags: Iterable[str]) -> list[str]:
    """Return tags in the form that is compared, each once."""
    return list(dict.fromkeys(map(fold_name, tags)))


def link_tags(session: Session, contacts: Sequence[Contact]) -> None:
    """Replace the links of contacts by those to their current tags, status and stage."""
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
        for key in tag_keys(contact.tags)
    ]
    if links:
        session.execute(insert(ContactTag), links)


def is_tagged(source: Any, tag: str) -> ColumnElement[bool]:
    """Return the condition that contacts have a tag, regardless of case, blanks and joiners."""
    condition: ColumnElement[bool] = source.tag_key == fold_name(tag)
    return condition
