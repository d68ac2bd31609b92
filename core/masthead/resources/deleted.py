"""The rows that other tables of core have about the items of a resource."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy.orm import Session

from masthead.approval.gate import note_asked
from masthead.db.of_items import forget_rows_of
from masthead.persons.services import forget_item_addresses
from masthead.references.deleting import clear_references
from masthead.resources.declaration import Resource
from masthead.resources.external_ids import forget_ids
from masthead.resources.former_slugs import forget_slugs
from masthead.search.services import forget_items


def clear_references_to(session: Session, kind: str, ids: Collection[int]) -> None:
    """Remove deleted items from the fields that refer to them.

    Plugins aren't asked whether the rest may be public.

    :param kind: the name of their content type or resource.
    """
    for item in clear_references(session, kind, ids):
        note_asked(session, item)


def forget_deleted(
    session: Session, resource: Resource, ids: Collection[int], *, is_kept: bool = False
) -> None:
    """Delete the index entries, revisions, former addresses and so on of items that are deleted.

    References to the items are cleared.

    :param is_kept: whether the items are in the trash, which needs their revisions and comments.
    """
    clear_references_to(session, resource.name, ids)
    if resource.search_fields:
        forget_items(session, resource, ids)
    if not resource.named:
        forget_ids(session, resource.name, ids)
    if resource.site_path:
        forget_slugs(session, resource.name, ids)
    if (resource.keeps_revisions or resource.approval is not None) and not is_kept:
        forget_rows_of(session, resource.name, ids)
    if resource.keeps_addresses:
        forget_item_addresses(session, resource.name, ids)
