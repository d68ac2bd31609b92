"""The slugs of content: chosen by staff, or made from the title until the public sees the item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.db.slugs import flush_with_slugs, is_derived
from masthead.http.addresses import item_path
from masthead.instance import instance_of
from masthead.organisation.services import organisation_of
from masthead.resources.former_slugs import Slugs, former_slugs, leave_slug, set_slug
from masthead.schemas.slugs import SLUG_FIELD

if TYPE_CHECKING:
    from masthead.content.contenttype import ContentType


@dataclass(frozen=True)
class Naming:
    """The slug of an item, and the values that it may follow from."""

    slug: str | None
    title: str
    lang: str | None

    @classmethod
    def of(cls, item: Any) -> Self:
        """Return the present ones."""
        return cls(item.slug, item.title, item.lang)


def slugs_of(session: Session, content_type: ContentType) -> Slugs:
    """Return the slugs of a content type."""
    path = item_path(instance_of(session).settings, content_type.name)
    return Slugs(content_type.name, content_type.model, path)


def derive_slugs(
    session: Session, content_type: ContentType, titled: Iterable[tuple[Any, str]]
) -> None:
    """Flush items, each with a slug that is made from its text."""
    flush_with_slugs(
        session,
        content_type.model,
        list(titled),
        former=former_slugs(content_type.name),
        language=organisation_of(session).language,
    )


def settle_slug(
    session: Session,
    content_type: ContentType,
    item: Any,
    former: Naming,
    wanted: str | None,
    now: datetime,
    *,
    needed: bool,
) -> None:
    """Give a changed item its slug, and remember a former one by which the public knew it.

    :param former: the values before the change.
    :param wanted: the slug that it had or that staff have chosen; None for one from its title.
    :param needed: whether an item that had no slug gets one.
    """
    if wanted is not None and wanted != former.slug:
        set_slug(session, slugs_of(session, content_type), item, wanted)
    elif _derives(session, item, former, wanted, now, needed=needed):
        derive_slugs(session, content_type, [(item, item.title)])
    if former.slug not in (None, item.slug) and _has_been_public(item, now):
        leave_slug(session, slugs_of(session, content_type), item.id, former.slug)


def drop_taken_slug(session: Session, content_type: ContentType, item: Any) -> None:
    """Keep the live slug of an item if another item has got the staged one meanwhile.

    Staged edits whose time comes can't be refused.
    """
    staged, model = item.staged.get(SLUG_FIELD), content_type.model
    if staged is not None and staged != item.slug:
        owner = session.scalar(select(model.id).where(model.slug == staged))
        if owner is not None:
            item.staged = item.staged | {SLUG_FIELD: item.slug}


def _derives(
    session: Session,
    item: Any,
    former: Naming,
    wanted: str | None,
    now: datetime,
    *,
    needed: bool,
) -> bool:
    """Whether the slug is made from the title.

    That of an item that has a slug follows the title if it was made from the former title, and the
    item has not been public.
    """
    if wanted is None:
        return needed or former.slug is not None
    is_renamed = (item.title, item.lang) != (former.title, former.lang)
    if former.slug is None or not is_renamed or _has_been_public(item, now):
        return False
    language = former.lang or organisation_of(session).language
    return is_derived(former.slug, former.title, language)


def _has_been_public(item: Any, now: datetime) -> bool:
    published = item.first_published_at
    return published is not None and published <= now
