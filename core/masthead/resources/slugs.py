"""The slugs of the items of a resource that staff choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from masthead.errors import Invalid
from masthead.instance import instance_of
from masthead.resources.declaration import Resource
from masthead.resources.former_slugs import Slugs, check_slug, leave_slug, take_slug
from masthead.resources.kept import PUBLISHED
from masthead.schemas.slugs import SLUG_FIELD, TAKE_OVER, TAKEN


def slugs_of(session: Session, resource: Resource) -> Slugs:
    """Return the slugs of a resource whose items have a page of the website."""
    reserved = resource.reserved_slugs(instance_of(session))
    return Slugs(resource.name, resource.model, resource.site_path, reserved)


def choose_slug(
    session: Session, resource: Resource, item_id: int | None, values: Mapping[str, Any]
) -> None:
    """Check a slug that staff have chosen, before the item gets it.

    :param values: the changed values by wire name; without a slug nothing happens.
    :raises Invalid: for a slug that the item can't have.
    """
    slug = values.get(SLUG_FIELD)
    if slug and resource.has_chosen_slugs:
        slugs = slugs_of(session, resource)
        check_slug(session, slugs, slug, item_id, take_over=values.get(TAKE_OVER, False))
        take_slug(session, slugs, slug)


def check_chosen(item: Any, values: Mapping[str, Any]) -> None:
    """Refuse an item that has got another slug than the chosen one.

    :raises Invalid: because another item has got it meanwhile.
    """
    if values.get(SLUG_FIELD) not in (None, "", getattr(item, SLUG_FIELD, None)):
        raise Invalid(TAKEN)


def remember_slug(
    session: Session, resource: Resource, item: Any, former: Mapping[str, Any]
) -> None:
    """Remember a slug by which the public knew an item, and which the item leaves.

    That of an item that is unpublished is remembered, too, as it can change before the item is
    published again.

    :param former: the values before the change, by wire name.
    """
    if not resource.has_chosen_slugs or not former.get(PUBLISHED, True):
        return
    if item.slug != former[SLUG_FIELD] or not getattr(item, PUBLISHED, True):
        leave_slug(session, slugs_of(session, resource), item.id, former[SLUG_FIELD])
