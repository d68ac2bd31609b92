"""The rows that other tables of core have about the items of a resource."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy.orm import Session

from masthead.history.recording import forget_revisions
from masthead.persons.services import forget_item_addresses
from masthead.resources.declaration import Resource
from masthead.resources.external_ids import forget_ids
from masthead.resources.former_slugs import forget_slugs
from masthead.search.services import forget_items


def forget_deleted(
    session: Session, resource: Resource, ids: Collection[int], *, is_kept: bool = False
) -> None:
    """Delete the index entries, external ids and former addresses of items that are deleted.

    :param is_kept: whether the items are in the trash, which needs their revisions.
    """
    if resource.search_fields:
        forget_items(session, resource, ids)
    if not resource.named:
        forget_ids(session, resource.name, ids)
    if resource.site_path:
        forget_slugs(session, resource.name, ids)
    if resource.keeps_revisions and not is_kept:
        forget_revisions(session, resource.name, ids)
    if resource.keeps_addresses:
        forget_item_addresses(session, resource.name, ids)
