"""Restoring a deleted item of a resource, and the rows of core about an item of any kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.approval.transitions import end_request
from masthead.db import utcnow
from masthead.db.upsert import insert_missing
from masthead.errors import Invalid
from masthead.instance import instance_of
from masthead.resources.declaration import Resource
from masthead.resources.former_slugs import FormerSlug, Slugs
from masthead.resources.kept import PUBLISHED
from masthead.resources.redirects import Redirect, former_path
from masthead.resources.trashed import ABOUT
from masthead.search.services import index_items
from masthead.transfer.tables import exportable_table


def restore_item(session: Session, resource: Resource, item: Any) -> None:
    """Insert an item that was deleted, with its former id, unpublished and with a free slug.

    :raises Invalid: for a value that has to be unique and isn't.
    """
    resource.before_restore(session, item)
    if PUBLISHED in {f.name for f in resource.fields}:
        item.published = False
    if resource.approval is not None:
        end_request(item)
    item.revision += 1
    item.updated_at = utcnow()
    resource.flush(session, [item])
    if resource.search_fields:
        index_items(session, resource, [item])


def restore_about(
    session: Session,
    key: tuple[str, int],
    slugs: Slugs | None,
    about: Mapping[str, Sequence[Mapping[str, Any]]],
) -> None:
    """Insert the rows of core about a restored item, as far as no other item has them.

    :param key: the name of its content type or resource, and its id.
    :param slugs: the slugs of its kind; None if it has none.
    :param about: the rows by the name of their table, as they were stored.
    """
    found = {each: list(_read(session, each, key, about)) for each in ABOUT}
    if slugs is not None:
        former = [row["slug"] for row in found[FormerSlug]]
        names = select(slugs.model.slug).where(slugs.model.slug.in_(former))
        taken = set(session.scalars(names)) if former else set()
        paths = {former_path(slugs.path_of(slug)) for slug in taken}
        found[FormerSlug] = [row for row in found[FormerSlug] if row["slug"] not in taken]
        found[Redirect] = [row for row in found[Redirect] if row["path"] not in paths]
    for each, rows in found.items():
        if rows:
            insert_missing(session, each, rows)


def _read(
    session: Session,
    model: Any,
    key: tuple[str, int],
    about: Mapping[str, Sequence[Mapping[str, Any]]],
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table that are still valid, without their own ids."""
    table = exportable_table(model.__table__, instance_of(session).settings)
    names = table.codecs.keys() - {"id"}
    for sent in about.get(table.name, ()):
        if names <= sent.keys():
            with suppress(Invalid):
                row = {name: table.read(name, sent[name]) for name in names}
                yield row | dict(zip(("kind", "item_id"), key, strict=True))
