"""The former slugs of items: each leads to its item, and no other item gets it unnoticed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Index, delete, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from masthead.db import ID, KEY
from masthead.db.base import Base
from masthead.db.slugs import FormerSlugs, reserved_slugs
from masthead.db.unique import unique
from masthead.db.upsert import upsert
from masthead.errors import Invalid, ProblemCode, wrong_field
from masthead.resources.redirects import Redirect, add_redirects, former_path
from masthead.schemas.slugs import LEADS_ELSEWHERE, SLUG_FIELD, TAKEN
from masthead.schemas.stored import SLUG, checked_as


class FormerSlug(Base):
    """A slug by which the public knew an item, and which the item has left."""

    __tablename__ = "core_former_slug"

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The name of the content type or resource."""
    slug: Mapped[str] = mapped_column(KEY, primary_key=True, info=checked_as(SLUG))
    item_id: Mapped[int] = mapped_column(ID)

    __table_args__ = (Index(None, "kind", "item_id"),)


@dataclass(frozen=True)
class Slugs:
    """The slugs of a content type or resource."""

    kind: str
    """Its name."""
    model: Any
    path: str
    """The path at which the website shows an item, with a placeholder: ``/news/{slug}``."""
    reserved: Collection[str] = ()
    """Slugs that no item gets."""

    def path_of(self, slug: str) -> str:
        """Return the path at which the website shows an item."""
        return self.path.replace("{slug}", slug)


@cache
def former_slugs(kind: str) -> FormerSlugs:
    """Return the former slugs of the items of a content type or resource."""
    return FormerSlugs(FormerSlug.slug, FormerSlug.item_id, FormerSlug.kind == kind)


def check_slug(
    session: Session, slugs: Slugs, slug: str, item_id: int | None, *, take_over: bool
) -> None:
    """Refuse a slug that staff have chosen, and that the item can't have.

    :param item_id: the id of the item; None for a new one.
    :param take_over: whether the item may have a former slug of another item.
    :raises Invalid: for a reserved slug, and for that of another item.
    """
    if slug in slugs.reserved or slug in reserved_slugs(session, slugs.model):
        raise wrong_field(
            SLUG_FIELD, ProblemCode.NOT_ALLOWED, "Belongs to another part of the website"
        )
    model = slugs.model
    owner = session.scalar(select(model.id).where(model.slug == slug))
    if owner not in (None, item_id):
        raise _taken()
    if not take_over and _leads_elsewhere(session, slugs, slug, item_id):
        raise wrong_field(SLUG_FIELD, ProblemCode.ALREADY_EXISTS, LEADS_ELSEWHERE)


def set_slug(session: Session, slugs: Slugs, item: Any, slug: str) -> None:
    """Give an item a checked slug, which leads to no other item from now on.

    :raises Invalid: if another item has got it meanwhile.
    """
    with unique(session, _taken(), slugs.model.slug):
        item.slug = slug
        session.add(item)
    take_slug(session, slugs, slug)


def take_slug(session: Session, slugs: Slugs, slug: str) -> None:
    """Forget that a slug leads to an item, because an item has it or is about to have it."""
    _delete(session, FormerSlug, FormerSlug.kind == slugs.kind, FormerSlug.slug == slug)
    _delete(session, Redirect, Redirect.path == former_path(slugs.path_of(slug)))


def leave_slug(session: Session, slugs: Slugs, item_id: int, slug: str) -> None:
    """Remember a slug by which the public knew an item."""
    row = {"kind": slugs.kind, "slug": slug, "item_id": item_id}
    upsert(session, FormerSlug, row, row)
    add_redirects(session, slugs.kind, {former_path(slugs.path_of(slug)): item_id})


def forget_slugs(session: Session, kind: str, ids: Collection[int]) -> None:
    """Delete the former slugs of items that are deleted, and the redirects to them."""
    for table in (FormerSlug, Redirect):
        _delete(session, table, table.kind == kind, table.item_id.in_(ids))


def _delete(session: Session, table: Any, *conditions: ColumnElement[bool]) -> None:
    """Delete rows if there are any, because each delete outdates the public answers."""
    if session.scalar(select(select(table).where(*conditions).exists())):
        session.execute(delete(table).where(*conditions))


def _taken() -> Invalid:
    return wrong_field(SLUG_FIELD, ProblemCode.ALREADY_EXISTS, TAKEN)


def _leads_elsewhere(session: Session, slugs: Slugs, slug: str, item_id: int | None) -> bool:
    """Whether a slug or its path leads to another item."""
    former = select(FormerSlug.item_id).where(
        FormerSlug.kind == slugs.kind, FormerSlug.slug == slug
    )
    path = former_path(slugs.path_of(slug))
    redirected = select(Redirect.item_id).where(
        Redirect.path == path,
        or_(Redirect.kind != slugs.kind, Redirect.kind.is_(None), Redirect.item_id != item_id),
    )
    owner = session.scalar(former)
    return owner not in (None, item_id) or session.scalar(redirected.exists().select()) or False
