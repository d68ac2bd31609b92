"""Creating, renaming and finding tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.db import fold_name
from masthead.db.folding import fold_key
from masthead.db.locking import lock_row
from masthead.db.slugs import FormerSlugs, flush_with_slugs, is_derived
from masthead.db.unique import unique, violates
from masthead.db.upsert import upsert
from masthead.errors import Invalid, NotFound, ProblemCode, wrong_field
from masthead.http.paging import Page, Window
from masthead.http.revisions import ANY_REVISION, Precondition
from masthead.organisation.services import organisation_of
from masthead.schemas.field_types import TITLE
from masthead.schemas.slugs import LEADS_ELSEWHERE, SLUG_FIELD, TAKE_OVER, TAKEN
from masthead.tags.models import FormerTagSlug, Tag
from masthead.tags.tagged import lock_tagged
from masthead.unicode.characters import has_needless_invisible, single_spaced, visible

_AT_ONCE = 10_000
"""The number of tags per statement; SQLite takes at most 32,766 values."""


def list_tags(session: Session, window: Window) -> Page:
    """Return a page of the tags, by name."""
    rows = select(Tag).order_by(Tag.sort_key, Tag.id)
    total = session.scalar(select(func.count()).select_from(Tag)) or 0
    return Page(session.scalars(rows.limit(window.limit).offset(window.offset)).all(), total)


def create_tag(
    session: Session, name: str, slug: str | None = None, *, take_over: bool = False
) -> Tag:
    """Create a tag.

    :param slug: the slug that staff have chosen; None for one from the name.
    :param take_over: whether the tag may have a former slug of another one.
    :raises Invalid: where a tag of this name exists, regardless of case, runs of blanks and
        invisible characters; for a name with other invisible characters than a script needs; for a
        slug that the tag can't have.
    """
    tag = Tag(name=single_spaced(name), name_key=_key(name))
    with unique(session, _taken(), Tag.name_key):
        _flush_named(session, [tag])
    _refuse_invisible(name)
    if slug not in (None, tag.slug):
        _choose_slug(session, tag, slug, take_over=take_over)
    return tag


def get_tag(session: Session, tag_id: int) -> Tag:
    """Return a tag.

    :raises NotFound: where there is no such tag.
    """
    tag = session.get(Tag, tag_id)
    if tag is None:
        raise NotFound
    return tag


def change_tag(
    session: Session,
    tag_id: int,
    sent: Mapping[str, Any],
    precondition: Precondition = ANY_REVISION,
) -> Tag:
    """Change the name or the slug of a tag; a former slug still leads to it.

    A slug that was made from the former name follows the new one.

    :param sent: checked values by wire name.
    :raises NotFound: where there is no such tag.
    :raises Invalid: as ``create_tag`` does.
    """
    tag = _lock_tag(session, tag_id)
    precondition.check(tag.revision)
    former, former_name = tag.slug, tag.name
    name, slug = sent["name"], sent.get(SLUG_FIELD, former)
    if name != former_name:
        with unique(session, _taken(), Tag.name_key):
            tag.name, tag.name_key = single_spaced(name), _key(name)
        _refuse_invisible(name)
    language = organisation_of(session).language
    if slug not in (None, former):
        _choose_slug(session, tag, slug, take_over=sent.get(TAKE_OVER, False))
    elif slug is None or (name != former_name and is_derived(former, former_name, language)):
        _flush_named(session, [tag])
    if (tag.name, tag.slug) != (former_name, former):
        tag.revision += 1
    if tag.slug != former:
        row = {"slug": former, "tag_id": tag.id}
        upsert(session, FormerTagSlug, row, row)
        session.execute(delete(FormerTagSlug).where(FormerTagSlug.slug == tag.slug))
    return tag


def delete_tag(
    session: Session, tag_id: int, caller: Caller, precondition: Precondition = ANY_REVISION
) -> None:
    """Delete a tag, and remove it from all content and from staged copies.

    :raises NotFound: where there is no such tag.
    """
    tag = _lock_tag(session, tag_id)
    precondition.check(tag.revision)
    record(session, "tag.delete", caller, name=tag.name)
    session.delete(tag)


def check_tags(session: Session, tag_ids: Sequence[int]) -> None:
    """Refuse ids of missing tags.

    :raises Invalid: naming them.
    """
    known = keep_tags(session, tag_ids)
    missing = [str(tag_id) for tag_id in tag_ids if tag_id not in known]
    if missing:
        raise wrong_field(
            "tagIds", ProblemCode.UNKNOWN_ID, "Unknown tag " + ", ".join(missing[:10])
        )


def keep_tags(session: Session, tag_ids: Sequence[int]) -> set[int]:
    """Return the ids of the tags that exist, which are locked until the transaction ends."""
    return set(_keep(session, Tag.id, sorted(tag_ids)).values())


def ensure_tags(session: Session, names: Iterable[str]) -> dict[str, int]:
    """Find tags by name, as ``create_tag`` compares them, and create the missing ones.

    All of them are locked until the transaction ends.

    :returns: the ids by the given names.
    """
    wanted = {_key(name, "tags"): name for name in names}
    ids = None
    while ids is None:
        ids = _create_missing(session, wanted)
    return {name: ids[fold_name(name)] for name in names}


def _create_missing(session: Session, wanted: Mapping[str, str]) -> dict[str, int] | None:
    """Return the ids of the wanted tags by key; None where another transaction made one of them."""
    ids = _keep(session, Tag.name_key, list(wanted))
    new = [Tag(name=name, name_key=key) for key, name in wanted.items() if key not in ids]
    try:
        _flush_named(session, new)
    except IntegrityError as error:
        if violates(error, Tag.name_key):
            return None
        raise
    return ids | {tag.name_key: tag.id for tag in new}


def _key(name: str, field: str = "name") -> str:
    return fold_key(visible(name), TITLE, field)


def _taken() -> Invalid:
    return wrong_field("name", ProblemCode.ALREADY_EXISTS, "Tag already exists", named=False)


def _refuse_invisible(name: str) -> None:
    """Refuse invisible characters; check that no tag has the name first, as that says more."""
    if has_needless_invisible(name):
        message = "Must not contain invisible characters"
        raise wrong_field("name", ProblemCode.FORBIDDEN_CHARACTERS, message)


def _flush_named(session: Session, tags: Sequence[Tag]) -> None:
    """Flush tags, each with a slug from its name that leads to no other tag."""
    flush_with_slugs(
        session,
        Tag,
        [(tag, tag.name) for tag in tags],
        former=FormerSlugs(FormerTagSlug.slug, FormerTagSlug.tag_id),
        language=organisation_of(session).language,
    )


def _choose_slug(session: Session, tag: Tag, slug: str, *, take_over: bool) -> None:
    """Give a tag the slug that staff have chosen.

    :raises Invalid: for that of another tag, and for a former one without ``take_over``.
    """
    owner = session.scalar(select(FormerTagSlug.tag_id).where(FormerTagSlug.slug == slug))
    if owner not in (None, tag.id) and not take_over:
        raise wrong_field(SLUG_FIELD, ProblemCode.ALREADY_EXISTS, LEADS_ELSEWHERE)
    with unique(session, wrong_field(SLUG_FIELD, ProblemCode.ALREADY_EXISTS, TAKEN), Tag.slug):
        tag.slug = slug
    session.execute(delete(FormerTagSlug).where(FormerTagSlug.slug == slug))


def _keep(session: Session, column: Any, wanted: Sequence[Any]) -> dict[str, int]:
    """Return the ids of the tags with one of the wanted values, by key, and lock them."""
    kept: dict[str, int] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        having = column.in_(wanted[start : start + _AT_ONCE])
        tags = select(Tag.name_key, Tag.id).where(having).order_by(Tag.id)
        rows = session.execute(tags.with_for_update(read=True, key_share=True))
        kept |= {row.name_key: row.id for row in rows}
    return kept


def _lock_tag(session: Session, tag_id: int) -> Tag:
    lock_tagged(session, tag_id)
    return lock_row(session, Tag, tag_id)
