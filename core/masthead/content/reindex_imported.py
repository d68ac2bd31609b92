"""Letting what an import brought be found: the search index doesn't travel."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.content.contenttype import ContentType
from masthead.content.reindexing import BATCH, searched
from masthead.hookspecs import hookimpl
from masthead.instance import instance_of
from masthead.resources.declaration import Resource
from masthead.search.services import index_items


@hookimpl
def masthead_imported(session: Session) -> None:
    """Index every item of what is searched."""
    instance = instance_of(session)
    session.flush()
    for kind in searched(instance):
        _index(session, kind)


def _index(session: Session, kind: ContentType | Resource) -> None:
    model = kind.model
    rows = select(model).order_by(model.id).limit(BATCH)
    last = 0
    while items := session.scalars(rows.where(model.id > last)).all():
        index_items(session, kind, items)
        last = items[-1].id
        # Of many items only a few are in memory at once.
        session.expunge_all()
