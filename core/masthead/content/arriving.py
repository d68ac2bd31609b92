"""Letting what an import brought be found: the search index doesn't travel."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.content.contenttype import ContentType, content_types_of
from masthead.hookspecs import hookimpl
from masthead.instance import instance_of
from masthead.resources.declaration import Resource
from masthead.search.services import index_items

__all__ = ["masthead_imported"]

_BATCH = 100


@hookimpl
def masthead_imported(session: Session) -> None:
    """Index every item of what is searched."""
    instance = instance_of(session)
    session.flush()
    resources = [each for each in instance.resources.values() if each.search]
    kinds: list[ContentType | Resource] = [*content_types_of(instance), *resources]
    for kind in kinds:
        _index(session, kind)


def _index(session: Session, kind: ContentType | Resource) -> None:
    model = kind.model
    rows = select(model).order_by(model.id).limit(_BATCH)
    last = 0
    while items := session.scalars(rows.where(model.id > last)).all():
        index_items(session, kind, items)
        last = items[-1].id
        # Of many items only a few are in memory at once.
        session.expunge_all()
