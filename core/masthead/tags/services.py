"""Creating, renaming and finding tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.db import fold
from masthead.db.folding import fold_key
from masthead.db.slugs import flush_with_slugs
from masthead.db.unique import unique, violates
from masthead.errors import Invalid, NotFound
from masthead.http.paging import Page, Window
from masthead.schemas.field_types import TITLE
from masthead.tags.models import Tag
from masthead.tags.tagged import lock_tagged

_AT_ONCE = 10_000
"""How many tags are asked for in one statement; SQLite takes 32,766 values in one."""


def list_tags(session: Session, window: Window) -> Page:
    """A page of the tags, by name."""
    rows = select(Tag).order_by(Tag.name_key, Tag.id)
    total = session.scalar(select(func.count()).select_from(Tag)) or 0
    return Page(session.scalars(rows.limit(window.limit).offset(window.offset)).all(), total)


def create_tag(session: Session, name: str) -> Tag:
    """Make a tag.

    :raises Invalid: where one of that name exists, whatever the case.
    """
    tag = Tag(name=name, name_key=fold_key(name, TITLE, "name"))
    with unique(session, "Tag already exists", Tag.name_key):
        flush_with_slugs(session, Tag, [(tag, name)])
    return tag


def rename_tag(session: Session, tag_id: int, name: str) -> Tag:
    """Give a tag another name, and the slug that follows from it.

    :raises NotFound: where there is no such tag.
    :raises Invalid: where another has that name, whatever the case.
    """
    tag = _locked(session, tag_id)
    if tag.name != name:
        with unique(session, "Tag already exists", Tag.name_key):
            tag.name, tag.name_key = name, fold_key(name, TITLE, "name")
        flush_with_slugs(session, Tag, [(tag, name)])
    return tag


def delete_tag(session: Session, tag_id: int, caller: Caller) -> None:
    """Delete a tag, and take it from all content and from what is staged of it.

    :raises NotFound: where there is no such tag.
    """
    tag = _locked(session, tag_id, copies=True)
    record(session, "tag.delete", caller.id, name=tag.name)
    session.delete(tag)


def check_tags(session: Session, tag_ids: Sequence[int]) -> None:
    """Refuse ids that no tag has.

    :raises Invalid: naming them.
    """
    known = keep_tags(session, tag_ids)
    missing = [str(tag_id) for tag_id in tag_ids if tag_id not in known]
    if missing:
        raise Invalid("tagIds: Unknown tag " + ", ".join(missing[:10]))


def keep_tags(session: Session, tag_ids: Sequence[int]) -> set[int]:
    """Which of the tags exist, and will until the transaction ends."""
    return set(_keep(session, Tag.id, sorted(tag_ids)).values())


def ensure_tags(session: Session, names: Iterable[str]) -> dict[str, int]:
    """Find tags by name, whatever the case, and make those that are missing.

    They exist until the transaction ends, whatever others do at the same time.

    :returns: ids by the names given.
    """
    wanted = {fold_key(name, TITLE, "tags"): name for name in names}
    ids = None
    while ids is None:
        ids = _make_missing(session, wanted)
    return {name: ids[fold(name)] for name in names}


def _make_missing(session: Session, wanted: Mapping[str, str]) -> dict[str, int] | None:
    """Ids of the wanted tags by key; None where somebody else has just made one of them."""
    ids = _keep(session, Tag.name_key, list(wanted))
    new = [Tag(name=name, name_key=key) for key, name in wanted.items() if key not in ids]
    try:
        flush_with_slugs(session, Tag, [(tag, tag.name) for tag in new])
    except IntegrityError as error:
        if violates(error, Tag.name_key):
            return None
        raise
    return ids | {tag.name_key: tag.id for tag in new}


def _keep(session: Session, column: Any, wanted: Sequence[Any]) -> dict[str, int]:
    """The ids of the tags that have one of the wanted values, by key.

    They exist until the transaction ends.
    """
    kept: dict[str, int] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        having = column.in_(wanted[start : start + _AT_ONCE])
        tags = select(Tag.name_key, Tag.id).where(having).order_by(Tag.id)
        rows = session.execute(tags.with_for_update(read=True, key_share=True))
        kept |= {row.name_key: row.id for row in rows}
    return kept


def _locked(session: Session, tag_id: int, *, copies: bool = False) -> Tag:
    lock_tagged(session, tag_id, copies=copies)
    tag = session.get(Tag, tag_id, with_for_update=True)
    if tag is None:
        raise NotFound
    return tag
